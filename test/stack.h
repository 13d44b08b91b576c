/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The keccakprov authors
 *
 * What an operation leaves on the stack. */
#ifndef KECCAKPROV_TEST_STACK_H
#define KECCAKPROV_TEST_STACK_H

#include "test.h"

/* Runs the operation on a stack of 64 KiB of its own; returns how many words there then look like
 * lanes: like random bits. */
size_t stack_residue(void (*operation)(void));

#endif
