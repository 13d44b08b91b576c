/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The keccakprov authors
 *
 * libcrypto's MACs: message after message under one key. */
#include <stdlib.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include "speed_evp.h"

struct mac_data {
    EVP_MAC *mac;
    EVP_MAC_CTX *ctx;
};

static void mac_hash(struct speed_job *job)
{
    struct mac_data *data = job->data;
    size_t outlen;
    speed_need(EVP_MAC_init(data->ctx, NULL, 0, NULL), "EVP_MAC_init");
    for (size_t i = 0; i < job->work.updates; i++)
        speed_need(EVP_MAC_update(data->ctx, job->in, job->work.inlen), "EVP_MAC_update");
    speed_need(EVP_MAC_final(data->ctx, job->out, &outlen, job->work.outlen), "EVP_MAC_final");
}

static void mac_close(struct speed_job *job)
{
    struct mac_data *data = job->data;
    EVP_MAC_CTX_free(data->ctx);
    EVP_MAC_free(data->mac);
    free(data);
}

bool speed_mac_open(OSSL_LIB_CTX *libctx, const char *query, struct speed_job *job)
{
    static const unsigned char key[32] = {1};
    struct mac_data *data = calloc(1, sizeof(*data));
    speed_need(data != NULL, "memory");
    data->mac = EVP_MAC_fetch(libctx, job->work.algorithm, query);
    if (data->mac == NULL) {
        free(data);
        ERR_clear_error();
        return false;
    }
    data->ctx = EVP_MAC_CTX_new(data->mac);
    speed_need(EVP_MAC_init(data->ctx, key, sizeof(key), NULL), "EVP_MAC_init");
    job->data = data;
    job->run = mac_hash;
    job->close = mac_close;
    return true;
}
