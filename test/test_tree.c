/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The keccakprov authors
 *
 * The leaf engine on every kernel set: leaves that all differ, of any size and number, in any
 * pieces, against one portable sponge a leaf. */
#include "test.h"
#include "keccak.h"

#define LEAVES 20 /* more than twice the widest kernel */

static const struct shape {
    uint8_t rate, suffix, rounds;
} shapes[] = {{168, 0x0b, 12},
              {136, 0x0b, 12},
              {168, KECCAK_SUFFIX_SHAKE, 24},
              {136, KECCAK_SUFFIX_SHAKE, 24}};

/* Around each number of bytes or lanes that some code path turns on. */
static const size_t leaf_sizes[] = {1,   2,   7,   8,   9,    31,   32,   64,  135,
                                    136, 137, 143, 144, 145,  167,  168,  169, 272,
                                    335, 336, 337, 504, 1000, 8191, 8192, 8193};
#define LEAF_SIZES (sizeof(leaf_sizes) / sizeof(leaf_sizes[0]))

/* What is hashed, in memory that ends with it, so that a sanitizer sees any byte beyond. */
struct message {
    uint8_t *room;
    const uint8_t *in;
    size_t inlen;
};

static struct message new_message(size_t inlen)
{
    size_t offset = test_below(64);
    struct message m = {malloc(offset + inlen + 1), NULL, inlen};
    assert_non_null(m.room);
    m.in = m.room + 1 + offset;
    test_random_bytes(m.room + 1 + offset, inlen);
    return m;
}

static void init(struct keccak_sponge *node, const struct keccak_ops *ops, const struct shape *t)
{
    keccak_init(node, ops, t->rate, KECCAK_SUFFIX_CSHAKE, t->rounds);
    keccak_absorb(node, (const uint8_t *)"prefix", 6);
}

/* The node's output by the definition: a portable sponge for each leaf, the last one as it is. */
static void slowly(const struct shape *t, const struct message *m, size_t leaf_size,
                   uint8_t out[200])
{
    struct keccak_sponge node, leaf;
    uint8_t value[64];
    init(&node, keccak_nth(0, 0), t);
    for (size_t at = 0, n; at < m->inlen; at += n) {
        n = m->inlen - at < leaf_size ? m->inlen - at : leaf_size;
        keccak_init(&leaf, keccak_nth(0, 0), t->rate, t->suffix, t->rounds);
        keccak_absorb(&leaf, m->in + at, n);
        keccak_squeeze(&leaf, value, t->rate == 168 ? 32 : 64);
        keccak_absorb(&node, value, t->rate == 168 ? 32 : 64);
    }
    keccak_squeeze(&node, out, 200);
}

/* Pieces of `piece` bytes; 0: of random lengths, none among them. */
static void by_engine(const struct keccak_ops *ops, const struct shape *t, const struct message *m,
                      size_t leaf_size, size_t piece, uint8_t out[200])
{
    struct keccak_sponge node;
    struct keccak_tree tree;
    init(&node, ops, t);
    keccak_tree_init(&tree, &node, t->suffix, leaf_size);
    for (size_t at = 0, n; at < m->inlen; at += n) {
        n = piece > 0 ? piece : test_below(3 * leaf_size + 1);
        n = n < m->inlen - at ? n : m->inlen - at;
        keccak_tree_absorb(&tree, &node, m->in + at, n);
        assert_true(tree.leaves == (at + n) / leaf_size);
        assert_true(tree.begun == (at + n) % leaf_size);
    }
    keccak_tree_end(&tree, &node);
    assert_true(tree.leaves == (m->inlen + leaf_size - 1) / leaf_size);
    keccak_squeeze(&node, out, 200);
}

static void check(const struct shape *t, size_t leaf_size, size_t inlen)
{
    const struct keccak_ops *ops;
    uint8_t expected[200], got[200];
    struct message m = new_message(inlen);
    slowly(t, &m, leaf_size, expected);
    for (size_t k = 0; (ops = keccak_nth(keccak_cpu_features(), k)) != NULL; k++) {
        by_engine(ops, t, &m, leaf_size, inlen + 1, got);
        assert_memory_equal(got, expected, 200);
        by_engine(ops, t, &m, leaf_size, 0, got);
        assert_memory_equal(got, expected, 200);
        test_cases(2);
    }
    free(m.room);
}

/* Every number of leaves, alone and with a byte more or less; long leaves in fewer numbers. */
static void test_numbers(void **unused)
{
    (void)unused;
    for (size_t s = 0; s < 4; s++)
        for (size_t i = 0; i < LEAF_SIZES; i++)
            for (size_t n = 0; n <= LEAVES; n += leaf_sizes[i] > 1000 && n >= 9 ? 5 : 1) {
                check(&shapes[s], leaf_sizes[i], n * leaf_sizes[i]);
                check(&shapes[s], leaf_sizes[i], n * leaf_sizes[i] + 1);
                if (n > 0)
                    check(&shapes[s], leaf_sizes[i], n * leaf_sizes[i] - 1);
            }
}

/* Pieces of one byte, and of about a leaf. */
static void test_pieces(void **unused)
{
    const struct keccak_ops *ops;
    uint8_t expected[200], got[200];
    (void)unused;
    for (size_t s = 0; s < 4; s++)
        for (size_t i = 0; i < LEAF_SIZES; i++) {
            size_t leaf = leaf_sizes[i];
            const size_t pieces[] = {1,        leaf,    leaf + 1, leaf > 1 ? leaf - 1 : 5,
                                     4 * leaf, 9 * leaf};
            struct message m = new_message(LEAVES * leaf / 2 + leaf / 2);
            slowly(&shapes[s], &m, leaf, expected);
            for (size_t k = 0; (ops = keccak_nth(keccak_cpu_features(), k)) != NULL; k++)
                for (size_t p = leaf > 1000; p < 6; p++) {
                    by_engine(ops, &shapes[s], &m, leaf, pieces[p], got);
                    assert_memory_equal(got, expected, 200);
                }
            free(m.room);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_numbers),
                                       cmocka_unit_test(test_pieces)};
    test_begin();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
