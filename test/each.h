/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The keccakprov authors
 *
 * Each operation of each algorithm of the module, for tests that run them in odd places. */
#ifndef KECCAKPROV_TEST_EACH_H
#define KECCAKPROV_TEST_EACH_H

#include "test.h"

/* Makes the keys and messages, of random bits. First of all. */
void each_begin(void);

/* Loads the module with each set of kernels that this CPU has, and tests it. */
void each_isa(void (*test)(void));

/* Has each operation of each algorithm run by `run`, in an order in which one makes the next
 * possible; asserts that it succeeded and that `run` found nothing wrong. Returns a number that is
 * the same whenever all outputs are. */
uint64_t each_operation(bool (*run)(void (*operation)(void)));

/* A `run` that does nothing else. */
bool each_just_run(void (*operation)(void));

#endif
