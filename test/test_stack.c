/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The keccakprov authors
 *
 * Nothing of the state or of the input is left on the stack by the engine. */
#include "keccak.h"
#include "stack.h"

static struct keccak_sponge sponge;
static struct keccak_tree tree;
static uint8_t data[20000], out[1000];

static void absorb_blocks(void)
{
    keccak_absorb(&sponge, data, 500);
}

static void absorb_bytes(void)
{
    for (size_t i = 0; i < 500; i++)
        keccak_absorb(&sponge, data + i, 1);
}

static void squeeze_blocks(void)
{
    keccak_squeeze(&sponge, out, 500);
}

static void squeeze_bytes(void)
{
    for (size_t i = 0; i < 500; i++)
        keccak_squeeze(&sponge, out + i, 1);
}

/* Fifteen leaves: enough for each wide kernel. */
static void absorb_leaves(void)
{
    keccak_tree_absorb(&tree, &sponge, data, 15 * tree.leaf_size);
}

static void absorb_leaf_by_bytes(void)
{
    for (size_t i = 0; i < 2 * tree.leaf_size + 1; i++)
        keccak_tree_absorb(&tree, &sponge, data + i, 1);
}

static void end_leaf(void)
{
    keccak_tree_end(&tree, &sponge);
}

static const struct keccak_ops *bare;

static void test_tree(void **unused)
{
    static const size_t leaf_sizes[] = {7, 136, 1000};
    (void)unused;
    for (size_t k = 0; (bare = keccak_nth(keccak_cpu_features(), k)) != NULL; k++)
        for (size_t i = 0; i < 3; i++) {
            keccak_init(&sponge, bare, 136, KECCAK_SUFFIX_SHAKE, 24);
            keccak_tree_init(&tree, &sponge, KECCAK_SUFFIX_SHAKE, leaf_sizes[i]);
            assert_int_equal(stack_residue(absorb_leaves), 0);
            assert_int_equal(stack_residue(absorb_leaf_by_bytes), 0);
            assert_int_equal(stack_residue(end_leaf), 0);
        }
}

static void permute_alone(void)
{
    keccak_permute(bare->x1, sponge.a, 24);
}

static void test_stack(void **unused)
{
    static void (*const operations[])(void) = {absorb_blocks, absorb_bytes, squeeze_blocks,
                                               squeeze_bytes};
    (void)unused;
    for (size_t k = 0; (bare = keccak_nth(keccak_cpu_features(), k)) != NULL; k++) {
        keccak_init(&sponge, bare, 136, KECCAK_SUFFIX_SHAKE, 24);
        for (size_t i = 0; i < 4; i++)
            assert_int_equal(stack_residue(operations[i]), 0);
        assert_true(stack_residue(permute_alone) >
                    0); /* the search finds what a kernel alone leaves */
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_stack), cmocka_unit_test(test_tree)};
    test_begin();
    test_random_bytes(data, sizeof(data));
    return cmocka_run_group_tests(tests, NULL, NULL);
}
