/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The keccakprov authors
 *
 * keccaksum --status: what a program finds that follows the system's configuration, or
 * OPENSSL_CONF, and asks for nothing special. */
#include <dlfcn.h>
#include <openssl/conf.h>
#include <openssl/core_names.h>
#include <openssl/err.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>
#include "keccaksum.h"

#define WARN(...) (printf("warning: " __VA_ARGS__), putchar('\n'))

/* Returns whether it passes its self-test. */
static bool describe(OSSL_PROVIDER *ours)
{
    const char *version = "?", *kernels = "?";
    OSSL_PARAM params[] = {OSSL_PARAM_utf8_ptr(OSSL_PROV_PARAM_VERSION, (void *)&version, 0),
                           OSSL_PARAM_utf8_ptr(OSSL_PROV_PARAM_BUILDINFO, (void *)&kernels, 0),
                           OSSL_PARAM_END};
    Dl_info module = {.dli_fname = "?"};
    void *function;
    bool passed = OSSL_PROVIDER_self_test(ours);
    OSSL_PROVIDER_get_params(ours, params);
    /* A function's address in an object pointer, which POSIX allows. */
    memcpy(&function, &OSSL_PROVIDER_get0_dispatch(ours)->function, sizeof(function));
    dladdr(function, &module);
    printf("keccakprov: %s, %s\n", version, module.dli_fname);
    printf("kernels: %s\n", kernels);
    printf("self-test: %s\n", passed ? "passed" : "FAILED");
    return passed;
}

/* Who serves a name when no one is asked for? */
static const char *server(int operation, const char *name)
{
    EVP_MD *md = operation == OSSL_OP_DIGEST ? EVP_MD_fetch(NULL, name, NULL) : NULL;
    EVP_MAC *mac = operation == OSSL_OP_MAC ? EVP_MAC_fetch(NULL, name, NULL) : NULL;
    const OSSL_PROVIDER *prov = md != NULL    ? EVP_MD_get0_provider(md)
                                : mac != NULL ? EVP_MAC_get0_provider(mac)
                                              : NULL;
    EVP_MD_free(md);
    EVP_MAC_free(mac);
    return prov != NULL ? OSSL_PROVIDER_get0_name(prov) : "nobody";
}

/* Prints who serves each name that keccakprov has; returns how many it does not serve. */
static int list_names(const OSSL_PROVIDER *prov, int operation)
{
    int no_cache, elsewhere = 0;
    const OSSL_ALGORITHM *a = OSSL_PROVIDER_query_operation(prov, operation, &no_cache);
    for (; a != NULL && a->algorithm_names != NULL; a++) {
        char name[64];
        snprintf(name, sizeof(name), "%.*s", (int)strcspn(a->algorithm_names, ":"),
                 a->algorithm_names);
        const char *by = server(operation, name);
        printf("%-18s %s\n", name, by);
        elsewhere += strcmp(by, "keccakprov") != 0;
    }
    return elsewhere;
}

static const char *get(const CONF *conf, const char *section, const char *key)
{
    return section == NULL ? NULL : NCONF_get_string(conf, section, key);
}

/* As libcrypto takes it from 3.3 on: 1, yes, true and on activate. */
static bool is_off(const char *activate)
{
    return strchr("0nNfF", activate[0]) != NULL || strcasecmp(activate, "off") == 0;
}

/* Does the query insist on keccakprov, without a question mark? */
static bool is_strict(const char *query)
{
    char name[16], value[16];
    for (; query != NULL; query = strchr(query, ',')) {
        query += *query == ',';
        if (sscanf(query, " %15[A-Za-z] = %15[A-Za-z'\"]", name, value) == 2 &&
            strcasecmp(name, "provider") == 0 &&
            strncasecmp(value + strspn(value, "'\""), "keccakprov", 10) == 0)
            return true;
    }
    return false;
}

/* Why is it not active? */
static void explain(const CONF *conf, const char *file, const char *init, const char *section)
{
    const char *activate = get(conf, section, "activate"), *path = get(conf, section, "module");
    if (init == NULL)
        WARN("%s has no line `openssl_conf = ...` above its sections: none of them counts", file);
    else if (section == NULL)
        WARN("%s does not list keccakprov, or the file it includes cannot be read: "
             "`.include %s/keccakprov.cnf` as its last line lists it",
             file, MODULESDIR);
    else if (activate == NULL || is_off(activate))
        WARN("%s lists keccakprov, but does not activate it: [%s] wants `activate = 1`", file,
             section);
    else if (dlopen(path != NULL ? path : MODULESDIR "/keccakprov.so", RTLD_NOW) == NULL)
        WARN("%s lists keccakprov, but its module cannot be loaded: %s", file, dlerror());
    else
        WARN("%s lists keccakprov, but OpenSSL could not use it", file);
}

static void diagnose(const CONF *conf, const char *file, bool active, int elsewhere)
{
    const char *init = get(conf, "default", "openssl_conf");
    const char *section = get(conf, get(conf, init, "providers"), "keccakprov");
    const char *activate = get(conf, section, "activate");
    const char *query = get(conf, get(conf, init, "alg_section"), "default_properties");
    if (!active)
        explain(conf, file, init, section);
    else if (elsewhere > 0)
        WARN("keccakprov is active, but not preferred: `default_properties = ?provider=keccakprov` "
             "is missing from the alg_section of %s%s%s%s",
             file, query != NULL ? ", by a comma after `" : "", query != NULL ? query : "",
             query != NULL ? "`, which must not exclude it" : "");
    if (active && activate != NULL && is_off(activate))
        WARN("before OpenSSL 3.3 `activate = %s` activates too: to disable keccakprov, delete the "
             "line",
             activate);
    if (active && !OSSL_PROVIDER_available(NULL, "default") &&
        !OSSL_PROVIDER_available(NULL, "fips"))
        WARN("the default provider is not active: TLS, ssh and random numbers fail; its section "
             "wants `activate = 1`");
    if (is_strict(query))
        WARN("`default_properties = %s` has no question mark: all that keccakprov lacks fails",
             query);
    if (section != NULL && get(conf, "default", "nodejs_conf") == NULL)
        WARN("Node.js does not see it: %s has no line `nodejs_conf = %s` above its sections", file,
             init);
}

bool status_report(void)
{
    CONF *conf = NCONF_new(NULL);
    char *file = CONF_get1_default_config_file();
    printf("library: %s\nconfiguration: %s\n", OpenSSL_version(OPENSSL_VERSION), file);
    bool followed = OPENSSL_init_crypto(OPENSSL_INIT_LOAD_CONFIG, NULL);
    if (!followed)
        WARN("OpenSSL fails to follow it: %s", last_reason());
    bool active = OSSL_PROVIDER_available(NULL, "keccakprov");
    OSSL_PROVIDER *prov = active ? OSSL_PROVIDER_load(NULL, "keccakprov") : module_load();
    bool passed = active && describe(prov);
    if (!active)
        puts("keccakprov: not active");
    int elsewhere = 0;
    if (prov != NULL)
        elsewhere = list_names(prov, OSSL_OP_DIGEST) + list_names(prov, OSSL_OP_MAC);
    if (NCONF_load(conf, file, NULL) > 0)
        diagnose(conf, file, active, elsewhere);
    else
        WARN("%s cannot be read: OpenSSL goes without a configuration", file);
    ERR_clear_error();
    NCONF_free(conf);
    OPENSSL_free(file);
    return followed && passed && elsewhere == 0;
}
