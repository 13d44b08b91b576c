/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The keccakprov authors
 *
 * What is settled at load: the host's version, the kernels, the trace. */
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <openssl/core_names.h>
#include <openssl/params.h>
#include "provider.h"

/* A value of the module's section in openssl.cnf, or a parameter of the core; NULL if absent. */
static const char *core_value(const struct keccakprov *prov, const char *key)
{
    char *value = NULL;
    OSSL_PARAM request[] = {OSSL_PARAM_utf8_ptr(key, &value, 0), OSSL_PARAM_END};
    if (prov->core_get_params == NULL || !prov->core_get_params(prov->core, request))
        return NULL;
    return value;
}

bool keccakprov_host_at_least(const struct keccakprov *prov, unsigned major, unsigned minor)
{
    return prov->host_major > major || (prov->host_major == major && prov->host_minor >= minor);
}

/* Reads a decimal number and moves *text behind it; false if there is none. */
static bool read_number(const char **text, unsigned *number)
{
    const char *at = *text;
    *number = 0;
    for (; *at >= '0' && *at <= '9' && *number < 1000; at++)
        *number = *number * 10 + (unsigned)(*at - '0');
    bool any = at != *text;
    *text = at;
    return any;
}

/* "3.0.22" is 3, 0. What is no version counts as the newest. */
static void read_host_version(struct keccakprov *prov)
{
    const char *version = core_value(prov, OSSL_PROV_PARAM_CORE_VERSION);
    if (version == NULL || !read_number(&version, &prov->host_major) || *version++ != '.' ||
        !read_number(&version, &prov->host_minor))
        prov->host_major = prov->host_minor = UINT32_MAX;
}

/* Not under the number of a standard stream that the process has closed: others would write there,
 * and it would never be closed. While it is held the next open gets another. (fcntl, with offsets
 * of 64 bits, would want a newer C library.) */
static int open_apart(const char *where)
{
    int fd = open(where, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600);
    if (fd < 0 || fd > STDERR_FILENO)
        return fd;
    int apart = open_apart(where);
    close(fd);
    return apart;
}

static void open_trace(struct keccakprov *prov)
{
    const char *where = secure_getenv("KECCAKPROV_TRACE");
    prov->trace_fd = -1;
    if (where == NULL || where[0] == '\0')
        return;
    if (strcmp(where, "stderr") == 0)
        prov->trace_fd = STDERR_FILENO;
    else
        prov->trace_fd = open_apart(where);
}

void keccakprov_trace(const struct keccakprov *prov, const char *format, ...)
{
    char line[256];
    if (prov->trace_fd < 0)
        return;
    int used = snprintf(line, sizeof(line), KECCAKPROV_NAME "[%ld]: ", (long)getpid());
    va_list args;
    va_start(args, format);
    int more = vsnprintf(line + used, sizeof(line) - (size_t)used - 1, format, args);
    va_end(args);
    size_t length = (size_t)used + (more < 0 ? 0 : (size_t)more);
    if (length > sizeof(line) - 2)
        length = sizeof(line) - 2;
    line[length] = '\n';
    ssize_t written = write(prov->trace_fd, line, length + 1);
    (void)written; /* a trace that cannot be written is no reason to fail */
}

static const struct {
    const char *name;
    enum keccak_isa isa;
    unsigned needs; /* features without which the value is unavailable */
} isa_values[] = {{"auto", KECCAK_ISA_AUTO, 0},
                  {"portable", KECCAK_ISA_PORTABLE, 0},
                  {"bmi2", KECCAK_ISA_BMI2, KECCAK_CPU_BMI2},
                  {"avx2", KECCAK_ISA_AVX2, KECCAK_CPU_AVX2},
                  {"avx512", KECCAK_ISA_AVX512, KECCAK_CPU_AVX512}};

/* Chooses the best kernels under the configured setting that pass their check. */
static const struct keccak_ops *choose(struct keccakprov *prov, unsigned features)
{
    const char *isa = core_value(prov, "isa");
    const char *note = "";
    const char *dropped = "";
    size_t i = 0;
    if (isa == NULL)
        isa = "auto";
    while (i < sizeof(isa_values) / sizeof(isa_values[0]) && strcmp(isa, isa_values[i].name) != 0)
        i++;
    if (i == sizeof(isa_values) / sizeof(isa_values[0])) {
        note = " (unknown)";
        i = 0;
    } else if ((isa_values[i].needs & ~features) != 0) {
        note = " (unavailable)";
    }
    const struct keccak_ops *ops = keccak_select(features, isa_values[i].isa);
    while (!keccak_check(ops) && ops->needs != 0) {
        dropped = dropped[0] != '\0' ? dropped : ops->name;
        features &= ~ops->top;
        ops = keccak_select(features, isa_values[i].isa);
    }
    snprintf(prov->buildinfo, sizeof(prov->buildinfo), "isa=%.32s%s -> %s%s%s", isa, note,
             ops->name, dropped[0] != '\0' ? ", failed its check: " : "", dropped);
    return ops;
}

bool keccakprov_configure(struct keccakprov *prov)
{
    read_host_version(prov);
    open_trace(prov);
    prov->ops = choose(prov, keccak_cpu_features());
    keccakprov_trace(prov, "load, libcrypto %u.%u, %s", prov->host_major, prov->host_minor,
                     prov->buildinfo);
    /* The portable kernel is what every other is compared with. */
    if (keccak_check(prov->ops) && keccak_check(keccak_nth(0, 0)))
        return true;
    keccakprov_trace(prov, "the portable permutation fails its known answer");
    return KECCAKPROV_FAIL(prov, PERMUTATION_BROKEN);
}

bool keccakprov_wants_self_test(const struct keccakprov *prov)
{
    const char *value = core_value(prov, "self-test");
    return value != NULL && strcmp(value, "load") == 0;
}
