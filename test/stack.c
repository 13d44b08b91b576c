/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The keccakprov authors */
#include <sys/auxv.h>
#include <ucontext.h>
#include "stack.h"

#define STACK_WORDS 8192
#define FILL UINT64_C(0xaaaaaaaaaaaaaaaa)

static uint64_t stack[STACK_WORDS] __attribute__((aligned(64)));
static ucontext_t caller, callee;

/* Random bits are in all bytes; pointers, counters of either sign and zeros have nothing in their
 * upper 16 bits, unless a small number of one byte is put over them; and what is smaller than a
 * word leaves most of the fill. The guard of -fstack-protector is random too: the C library makes
 * it of what AT_RANDOM points to. */
static bool is_random(uint64_t word, uint64_t guard)
{
    int bytes = 0;
    for (uint64_t rest = word ^ FILL; rest != 0; rest >>= 8)
        bytes += (rest & 0xff) != 0;
    return bytes > 4 && (word >> 48 & 0xf0ff) != 0 && word >> 48 != 0xffff &&
           word >> 8 != guard >> 8;
}

/* Not inline, so that the caller of the operation holds no constant of this in a register. */
static __attribute__((noinline)) size_t residue(void)
{
    size_t found = 0;
    uint64_t guard;
    memcpy(&guard, (const void *)getauxval(AT_RANDOM), sizeof(guard));
    for (size_t i = 0; i < STACK_WORDS; i++)
        found += is_random(stack[i], guard);
    return found;
}

size_t stack_residue(void (*operation)(void))
{
    for (size_t i = 0; i < STACK_WORDS; i++)
        stack[i] = FILL;
    assert_int_equal(getcontext(&callee), 0);
    callee.uc_stack.ss_sp = stack;
    callee.uc_stack.ss_size = sizeof(stack);
    callee.uc_link = &caller;
    makecontext(&callee, operation, 0);
    assert_int_equal(swapcontext(&caller, &callee), 0);
    return residue();
}
