/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The keccakprov authors
 *
 * The first process of the emulated machine. /run holds a nonce and then one command a line:
 * [VAR=value ...] program arguments, with blanks between and no quoting. Reports lines "@@<nonce>
 * ...", which the programs under test cannot forge, on the console, and turns the machine off. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/io.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

#define WORDS 128

static char nonce[80], line[4096];

static void set_up(void)
{
    mkdir("/dev", 0755);
    mkdir("/proc", 0755);
    mkdir("/sys", 0755);
    mkdir("/tmp", 01777);
    mount("devtmpfs", "/dev", "devtmpfs", 0, "");
    mount("proc", "/proc", "proc", 0, "");
    mount("sysfs", "/sys", "sysfs", 0, "");
    int console = open("/dev/console", O_RDWR);
    for (int fd = 0; console >= 0 && fd <= 2; fd++)
        dup2(console, fd);
    setenv("PATH", "/t:/usr/bin:/bin", 1);
    setenv("HOME", "/tmp", 1);
}

static void report_cpu(void)
{
    FILE *cpuinfo = fopen("/proc/cpuinfo", "r");
    while (cpuinfo != NULL && fgets(line, sizeof(line), cpuinfo) != NULL)
        if (strncmp(line, "flags", 5) == 0 || strncmp(line, "model name", 10) == 0)
            printf("@@%s %s", nonce, line);
    if (cpuinfo != NULL)
        fclose(cpuinfo);
}

static void execute(char **words)
{
    while (*words != NULL && strchr(*words, '=') != NULL)
        putenv(*words++);
    if (*words != NULL)
        execvp(*words, words);
    perror("init");
    _exit(127);
}

/* Runs one command; its exit status, or as a shell has it, 128 and the signal. */
static int run(char *command)
{
    char *words[WORDS + 1] = {strtok(command, " \n")};
    for (int i = 1; i < WORDS && words[i - 1] != NULL; i++)
        words[i] = strtok(NULL, " \n");
    pid_t child = fork();
    if (child == 0)
        execute(words);
    int status;
    if (child < 0 || waitpid(child, &status, 0) != child)
        return 255;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

/* Bochs is told to end through this port. */
static void power_off(void)
{
    fflush(stdout);
    tcdrain(STDOUT_FILENO);
    usleep(20000);
    iopl(3);
    for (const char *c = "Shutdown"; *c != '\0'; c++)
        outb((unsigned char)*c, 0x8900);
    for (;;)
        pause();
}

int main(void)
{
    int count = 0, failed = 0;
    set_up();
    FILE *commands = fopen("/run", "re");
    if (commands != NULL && fgets(nonce, sizeof(nonce), commands) != NULL)
        nonce[strcspn(nonce, "\n")] = '\0';
    unlink("/run"); /* the nonce is ours alone from here on */
    report_cpu();
    while (commands != NULL && fgets(line, sizeof(line), commands) != NULL) {
        printf("@@%s RUN %s", nonce, line);
        fflush(stdout);
        int status = run(line);
        printf("\n@@%s EXIT %d\n", nonce, status);
        fflush(stdout);
        count++;
        failed += status != 0;
    }
    printf("@@%s DONE %d %d\n", nonce, count, failed);
    power_off();
}
