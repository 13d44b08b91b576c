/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The keccakprov authors
 *
 * Nothing of a key, a message or a state is left on the stack by any operation of any algorithm,
 * with each set of kernels that this CPU has. */
#include "each.h"
#include "stack.h"

static bool check(void (*operation)(void))
{
    return stack_residue(operation) == 0;
}

static void check_all(void)
{
    each_operation(check);
}

static void test_residue(void **unused)
{
    (void)unused;
    each_isa(check_all);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_residue)};
    test_begin();
    each_begin();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
