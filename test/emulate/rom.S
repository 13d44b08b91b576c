# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The keccakprov authors
#
# The 64 KiB at the top of the emulated machine's first megabyte, in place of a BIOS. Copies Linux's
# boot_params and command line out of itself, reads the segments that its table names from the ATA
# disk, maps the first 4 GiB to themselves and enters the kernel in 64-bit mode with boot_params in
# rsi, as Linux's Documentation/arch/x86/boot.rst asks. bxlinux.py fills in, from the start of the
# ROM at 0xf0000:
#
#     0x8000  boot_params, and behind it at 0x9000 the command line: copied to 0x8000 and 0x9000
#     0xa000  the segments, each first sector, number of sectors, address; 0 sectors end them
#     0xaff8  the address to enter

    .code16
    .section .text
    .globl _start
_start:
    cli
    cld
    inb $0x92, %al                  # the A20 gate opens
    orb $2, %al
    andb $0xfe, %al
    outb %al, $0x92
    lgdtl %cs:(gdt_register - _start)
    movl %cr0, %eax
    orl $1, %eax                    # protected mode
    andl $0x9fffffff, %eax          # caches on
    movl %eax, %cr0
    ljmpl $0x08, $protected

    .code32
protected:
    movl $0x18, %eax
    movw %ax, %ds
    movw %ax, %es
    movw %ax, %ss
    movw %ax, %fs
    movw %ax, %gs
    movl $0x7ff0, %esp

    movl $0xf8000, %esi
    movl $0x8000, %edi
    movl $0x800, %ecx
    rep movsl

    movl $0xfa000, %ebp
next_segment:
    movl 4(%ebp), %ebx              # sectors left
    testl %ebx, %ebx
    jz map_memory
    movl (%ebp), %esi               # sector
    movl 8(%ebp), %edi              # address
read:
    movl $256, %ecx                 # sectors of this command, 256 at most; it knows 256 as 0
    cmpl %ecx, %ebx
    jae command
    movl %ebx, %ecx
command:
    movb %cl, %al
    movl $0x1f2, %edx
    outb %al, %dx
    movl %esi, %eax                 # the sector's 28 bits
    incl %edx
    outb %al, %dx
    shrl $8, %eax
    incl %edx
    outb %al, %dx
    shrl $8, %eax
    incl %edx
    outb %al, %dx
    shrl $8, %eax
    orb $0xe0, %al                  # in LBA, of the master
    incl %edx
    outb %al, %dx
    movb $0x20, %al                 # READ SECTORS
    incl %edx
    outb %al, %dx
    addl %ecx, %esi
    subl %ecx, %ebx
sector:
    movl $0x1f7, %edx
wait:
    inb %dx, %al
    testb $0x80, %al                # busy
    jnz wait
    testb $8, %al                   # has data
    jz wait
    pushl %ecx
    movl $0x1f0, %edx
    movl $128, %ecx
    rep insl
    popl %ecx
    loop sector
    testl %ebx, %ebx
    jnz read
    addl $12, %ebp
    jmp next_segment

map_memory:                         # six pages from 0x1000: PML4, PDPT, four of 2 MiB entries
    movl $0x1000, %edi
    xorl %eax, %eax
    movl $0x1800, %ecx
    rep stosl
    movl $0x2003, 0x1000
    movl $0x2000, %edi
    movl $0x3003, %eax
    movl $4, %ecx
directory:
    movl %eax, (%edi)
    addl $8, %edi
    addl $0x1000, %eax
    loop directory
    movl $0x3000, %edi
    movl $0x83, %eax
    movl $2048, %ecx
page:
    movl %eax, (%edi)
    addl $8, %edi
    addl $0x200000, %eax
    loop page

    movl $0x1000, %eax
    movl %eax, %cr3
    movl %cr4, %eax
    orl $0x20, %eax                 # PAE
    movl %eax, %cr4
    movl $0xc0000080, %ecx          # EFER: long mode
    rdmsr
    orl $0x100, %eax
    wrmsr
    movl %cr0, %eax
    orl $0x80000000, %eax           # paging
    movl %eax, %cr0
    ljmpl $0x10, $long

    .code64
long:
    movl $0x7ff0, %esp
    movl $0x8000, %esi
    movq 0xfaff8, %rax
    jmp *%rax

    .balign 8
gdt:                                # 0x08: 32-bit code; 0x10 and 0x18: Linux's __BOOT_CS, __BOOT_DS
    .quad 0, 0x00cf9b000000ffff, 0x00af9b000000ffff, 0x00cf93000000ffff
gdt_register:
    .word . - gdt - 1
    .long gdt

    .org 0xfff0                     # where the CPU starts
    .code16
    ljmpw $0xf000, $0
    .org 0x10000 - 1
    .byte 0
