/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The keccakprov authors
 *
 * What the files that measure libcrypto share. */
#ifndef KECCAKPROV_SPEED_EVP_H
#define KECCAKPROV_SPEED_EVP_H

#include <openssl/crypto.h>
#include "speed.h"

/* speed_mac.c: opens SPEED_MAC with that library context and property query. */
bool speed_mac_open(OSSL_LIB_CTX *libctx, const char *query, struct speed_job *job);

#endif
