/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The keccakprov authors
 *
 * Errors: our reasons, queued through the core's upcalls. */
#include <stdarg.h>
#include "provider.h"

const OSSL_ITEM keccakprov_reason_strings[] = {
#define X(reason, text) {KECCAKPROV_R_##reason, (void *)text},
    KECCAKPROV_REASONS(X)
#undef X
        {0, NULL}};

static void set_error(const struct keccakprov *prov, enum keccakprov_reason reason,
                      const char *format, ...)
{
    va_list args;
    va_start(args, format);
    prov->core_vset_error(prov->core, reason, format, args);
    va_end(args);
}

int keccakprov_fail(const struct keccakprov *prov, const char *file, int line, const char *func,
                    enum keccakprov_reason reason)
{
    if (prov == NULL)
        return 0;
    prov->core_new_error(prov->core);
    prov->core_set_error_debug(prov->core, file, line, func);
    /* libcrypto fetches the reasons only after a good load: until then the text goes along. */
    if (prov->loaded)
        set_error(prov, reason, NULL);
    else
        set_error(prov, reason, "%s", (const char *)keccakprov_reason_strings[reason - 1].ptr);
    return 0;
}
