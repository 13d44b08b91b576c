/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The keccakprov authors
 *
 * What the System V ABI for x86-64 asks of a function, of each operation of each algorithm, with
 * each set of kernels that this CPU has: registers and modes are as they were, the stack may be
 * aligned to 16 bytes and no more, and a signal may come at any time. */
#include <signal.h>
#include <sys/time.h>
#include <ucontext.h>
#include "each.h"

#define STACK_BYTES 65536
#define SIGNALS 1000
#define PERIOD_US 100
#define RED_ZONE 128
#define OVERWRITTEN 4096

/* What a function left behind. */
struct left {
    uint64_t saved[6]; /* rbx, rbp, r12 to r15 */
    uint64_t flags, unused;
    uint8_t fxsave[512];
    uint8_t upper[16][16]; /* halves of ymm0 to ymm15, where there are any */
} __attribute__((aligned(16)));

/* Calls the operation on the stack that ends there, with 1 to 6 in the registers that it has to
 * save, and in modes that are not the usual ones. */
void abi_call(void (*operation)(void), uint8_t *stack_end, struct left *left, uint64_t has_avx);

#define ROUND_TO_ZERO 0x7f80    /* mxcsr */
#define SINGLE_PRECISION 0x0c7f /* x87's control word */
#define TEXT_OF(number) #number
#define TEXT(number) TEXT_OF(number)

__asm__("    .text\n"
        "    .globl abi_call\n"
        "abi_call:\n"
        "    push %rbx\n"
        "    push %rbp\n"
        "    push %r12\n"
        "    push %r13\n"
        "    push %r14\n"
        "    push %r15\n"
        "    mov %rsp, abi_stack(%rip)\n"
        "    mov %rdx, abi_left(%rip)\n"
        "    mov %rcx, abi_has_avx(%rip)\n"
        "    fxsave (%rdx)\n" /* for its usual modes */
        "    mov (%rdx), %eax\n"
        "    mov %eax, abi_usual(%rip)\n"
        "    mov 24(%rdx), %eax\n"
        "    mov %eax, 4 + abi_usual(%rip)\n"
        "    ldmxcsr 4 + abi_modes(%rip)\n"
        "    fldcw abi_modes(%rip)\n"
        "    test %rcx, %rcx\n"
        "    jz 1f\n"
        "    vzeroall\n"
        "1:  mov %rsi, %rsp\n"
        "    mov $1, %ebx\n"
        "    mov $2, %ebp\n"
        "    mov $3, %r12d\n"
        "    mov $4, %r13d\n"
        "    mov $5, %r14d\n"
        "    mov $6, %r15d\n"
        "    call *%rdi\n"
        "    mov abi_left(%rip), %rdx\n"
        "    mov %rbx, (%rdx)\n"
        "    mov %rbp, 8(%rdx)\n"
        "    mov %r12, 16(%rdx)\n"
        "    mov %r13, 24(%rdx)\n"
        "    mov %r14, 32(%rdx)\n"
        "    mov %r15, 40(%rdx)\n"
        "    pushfq\n"
        "    pop 48(%rdx)\n"
        "    cld\n"
        "    fxsave 64(%rdx)\n"
        "    cmpq $0, abi_has_avx(%rip)\n"
        "    jz 2f\n"
        "    .irp i, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15\n"
        "    vextractf128 $1, %ymm\\i, 576 + 16 * \\i(%rdx)\n"
        "    .endr\n"
        "    vzeroupper\n"
        "2:  ldmxcsr 4 + abi_usual(%rip)\n"
        "    fninit\n"
        "    fldcw abi_usual(%rip)\n"
        "    mov abi_stack(%rip), %rsp\n"
        "    pop %r15\n"
        "    pop %r14\n"
        "    pop %r13\n"
        "    pop %r12\n"
        "    pop %rbp\n"
        "    pop %rbx\n"
        "    ret\n"
        "    .type abi_call, @function\n"
        "    .size abi_call, . - abi_call\n"
        "    .section .rodata\n"
        "abi_modes:\n"
        "    .long " TEXT(SINGLE_PRECISION) ", " TEXT(
            ROUND_TO_ZERO) "\n"
                           "    .local abi_stack, abi_left, abi_has_avx, abi_usual\n"
                           "    .comm abi_stack, 8\n"
                           "    .comm abi_left, 8\n"
                           "    .comm abi_has_avx, 8\n"
                           "    .comm abi_usual, 8\n"
                           "    .text\n");

static size_t offset; /* of the stack's end, modulo 64 */

static uint16_t word_at(const struct left *left, size_t at)
{
    uint16_t word;
    memcpy(&word, left->fxsave + at, sizeof(word));
    return word;
}

static bool modes_are_kept(const struct left *left)
{
    return (left->flags >> 10 & 1) == 0 &&         /* strings go forward */
           word_at(left, 0) == SINGLE_PRECISION && /* x87's control word */
           (word_at(left, 2) & 0x3800) == 0 &&     /* its stack is at the top */
           left->fxsave[4] == 0 &&                 /* and empty: MMX was left */
           word_at(left, 24) == ROUND_TO_ZERO;
}

static bool is_kept(void (*operation)(void))
{
    static uint8_t stack[STACK_BYTES + 64] __attribute__((aligned(64)));
    static const struct left nothing;
    struct left left = nothing;
    abi_call(operation, stack + STACK_BYTES + offset, &left, __builtin_cpu_supports("avx") != 0);
    for (uint64_t i = 0; i < 6; i++)
        if (left.saved[i] != i + 1)
            return false;
    return modes_are_kept(&left) && memcmp(left.upper, nothing.upper, sizeof(left.upper)) == 0;
}

static void check_calls(void)
{
    uint64_t expected = each_operation(each_just_run);
    for (offset = 0; offset < 64; offset += 16)
        assert_true(each_operation(is_kept) == expected);
}

static volatile sig_atomic_t signals;

/* On a stack of its own, to overwrite all that a signal may below the interrupted function's, which
 * has 128 bytes there for itself. */
static void on_signal(int signo, siginfo_t *info, void *context)
{
    const ucontext_t *interrupted = context;
    uint8_t *below = (uint8_t *)(uintptr_t)interrupted->uc_mcontext.gregs[REG_RSP] - RED_ZONE;
    (void)signo, (void)info;
    memset(below - OVERWRITTEN, 0x5c, OVERWRITTEN);
    signals = signals + 1;
}

static void check_signals(void)
{
    const struct itimerval period = {{0, PERIOD_US}, {0, PERIOD_US}}, none = {{0, 0}, {0, 0}};
    uint64_t expected = each_operation(each_just_run);
    signals = 0;
    assert_int_equal(setitimer(ITIMER_REAL, &period, NULL), 0);
    while (signals < SIGNALS)
        assert_true(each_operation(each_just_run) == expected);
    assert_int_equal(setitimer(ITIMER_REAL, &none, NULL), 0);
}

static void test_calls(void **unused)
{
    (void)unused;
    each_isa(check_calls);
}

static void test_signals(void **unused)
{
    static uint8_t stack[STACK_BYTES];
    const stack_t handlers = {.ss_sp = stack, .ss_size = sizeof(stack)};
    const struct sigaction action = {.sa_sigaction = on_signal,
                                     .sa_flags = SA_SIGINFO | SA_ONSTACK};
    (void)unused;
    assert_int_equal(sigaltstack(&handlers, NULL), 0);
    assert_int_equal(sigaction(SIGALRM, &action, NULL), 0);
    each_isa(check_signals);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_calls),
                                       cmocka_unit_test(test_signals)};
    test_begin();
    each_begin();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
