#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The keccakprov authors
"""Runs Linux programs on an emulated x86-64 CPU: boots a kernel in Bochs, from a ROM and a disk
that are made here, without a display.

    bxlinux.py --kernel VMLINUZ --cpu corei7_skylake_x --require avx512f,avx512vl \\
        --files build/test/test_kernels --run 'TEST_STATES=8 /t/test_kernels'

Files land in /t, or where FILE:TARGET says, and their shared libraries follow. What the machine
prints is printed, then a verdict. Exits 0 only if the machine's CPU has every required flag and
every command was seen to exit with 0: a crash, a hang, a console that was cut off, a skipped test
(77) and a missing flag all fail. For Bochs 2.7 and 3.0; 3.1 divides wrongly.
"""
import argparse
import os
import re
import secrets
import stat
import struct
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
MIB = 1 << 20
KERNEL_ADDRESS = 16 * MIB
SECTOR = 512
CYLINDER = 16 * 63 * SECTOR
INSTRUCTIONS_PER_SECOND = 50_000_000  # what the machine's clock counts, however long it takes

# As what rom.S will have copied to these addresses.
PARAMS_AT, PARAMS_SIZE = 0x8000, 0x1000
COMMAND_LINE_AT = 0x9000
SEGMENTS_AT, ENTRY_AT = 0xA000, 0xAFF8

# clearcpuid: 321 (xsavec), 323 (xsaves) and 515 (pku), whose XSAVE areas Bochs 2.7 reports wrongly,
# so that Linux would leave out AVX altogether, without an error; 580 (fsrm), because Linux' memmove
# hangs with it.
COMMAND_LINE = f"""console=ttyS0,115200 quiet nokaslr acpi=off pci=off noapic nolapic nosmp
    mitigations=off tsc=reliable tsc_early_khz={INSTRUCTIONS_PER_SECOND // 1000} no_timer_check
    clearcpuid=321,323,515,580 random.trust_cpu=on cryptomgr.notests audit=0 8250.nr_uarts=1
    i8042.noaux i8042.nokbd initcall_blacklist=trace_eval_init panic=-1 rdinit=/init"""

BOCHS_CONFIGURATION = """display_library: term
romimage: file={folder}/rom
vgaromimage: file={folder}/vga
memory: guest={memory}, host={memory}
cpu: model={cpu}, count=1, ips={ips}, reset_on_triple_fault=0, ignore_bad_msrs=1
pci: enabled=0
clock: sync=none, time0=utc
com1: enabled=1, mode=file, dev={folder}/console
ata0: enabled=1, ioaddr1=0x1f0, ioaddr2=0x3f0, irq=14
ata0-master: type=disk, mode=flat, path={folder}/disk
boot: disk
sound: waveoutdrv=dummy
speaker: enabled=0
log: {folder}/bochs.log
panic: action=fatal
error: action=report
info: action=report
debug: action=ignore
"""


def parse_arguments():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--kernel', required=True, help='a bzImage')
    parser.add_argument('--cpu', default='corei7_skylake_x', help='see `bochs --help cpu`')
    parser.add_argument('--require', default='avx512f,avx512vl', help='flags of /proc/cpuinfo')
    parser.add_argument('--files', nargs='*', default=[], help='files and folders')
    parser.add_argument('--run', nargs='+', required=True, help='[VAR=value ...] PROGRAM ...')
    parser.add_argument('--memory', type=int, default=256, help='MiB')
    parser.add_argument('--timeout', type=float, default=240, help='seconds until it hangs')
    return parser.parse_args()


def read_file(path):
    with open(path, 'rb') as file:
        return file.read()


def write_file(path, data):
    with open(path, 'wb') as file:
        file.write(data)


def padded(data, size):
    return data + bytes(-len(data) % size)


def sectors(data):
    return len(padded(data, SECTOR)) // SECTOR


class Initramfs:
    """A cpio archive in the format `newc`, which the kernel unpacks as its first file system."""

    def __init__(self):
        self.data = bytearray()
        self.paths = set()

    def put(self, path, mode, content=b''):
        """Adds a file with the folders above it, unless the path is there."""
        if path in self.paths:
            return
        folder = os.path.dirname(path)
        if folder:
            self.put(folder, stat.S_IFDIR | 0o755)
        self.paths.add(path)
        name = path.encode() + b'\0'
        fields = (len(self.paths), mode, 0, 0, 1, 0, len(content), 0, 0, 0, 0, len(name), 0)
        self.data += padded(b'070701' + b''.join(b'%08X' % f for f in fields) + name, 4)
        self.data += padded(content, 4)

    def add(self, source, target):
        """Adds a file of this machine with the libraries that it loads, or a folder of such."""
        if os.path.isdir(source):
            for entry in sorted(os.listdir(source)):
                self.add(f'{source}/{entry}', f'{target}/{entry}')
            return
        mode = stat.S_IFREG | stat.S_IMODE(os.stat(source).st_mode)
        self.put(target.lstrip('/'), mode, read_file(source))
        ldd = subprocess.run(['ldd', source], capture_output=True, text=True, check=False)
        for library in re.findall(r'(?:=> )?(/\S+) \(0x', ldd.stdout):
            self.add(library, library)

    def end(self):
        self.put('TRAILER!!!', 0)
        return bytes(self.data)


def make_initramfs(args, folder, nonce):
    init = f'{folder}/init'
    subprocess.run(['cc', '-Os', '-static', '-s', '-o', init, f'{HERE}/init.c'], check=True)
    initramfs = Initramfs()
    initramfs.add(init, '/init')
    initramfs.put('run', stat.S_IFREG | 0o600, '\n'.join([nonce, *args.run, '']).encode())
    for file in args.files:
        source, _, target = file.partition(':')
        initramfs.add(source, target or '/t/' + os.path.basename(source.rstrip('/')))
    return initramfs.end()


class Kernel:
    """A bzImage: a header for the boot loader, then what gets loaded."""

    def __init__(self, path):
        image = read_file(path)
        if image[0x202:0x206] != b'HdrS':
            sys.exit(f'{path} is not a bzImage')
        self.header = image[0x1F1:0x202 + image[0x201]]
        self.code = image[((image[0x1F1] or 4) + 1) * SECTOR:]
        self.room = max(len(self.code), struct.unpack_from('<I', image, 0x260)[0])


def boot_params(kernel, initramfs_address, initramfs_size, memory):
    """Linux's struct boot_params, as a boot loader fills it in."""
    params = bytearray(PARAMS_SIZE)
    params[0x1F1:0x1F1 + len(kernel.header)] = kernel.header
    params[0x210] = 0xFF  # type_of_loader: none of the known
    params[0x211] |= 1  # loadflags: loaded high
    struct.pack_into('<II', params, 0x218, initramfs_address, initramfs_size)
    struct.pack_into('<I', params, 0x228, COMMAND_LINE_AT)
    usable, reserved = 1, 2
    regions = [(0, 0x9F000, usable), (0x9F000, 0x61000, reserved),
               (MIB, memory * MIB - MIB, usable)]
    params[0x1E8] = len(regions)
    for i, region in enumerate(regions):
        struct.pack_into('<QQI', params, 0x2D0 + 20 * i, *region)
    return params


def make_rom(folder, kernel, initramfs, memory):
    subprocess.run(['cc', '-c', '-o', f'{folder}/rom.o', f'{HERE}/rom.S'], check=True)
    subprocess.run(['ld', '-Ttext=0xf0000', '-e', '_start', '--oformat=binary',
                    '-o', f'{folder}/rom', f'{folder}/rom.o'], check=True)
    end = KERNEL_ADDRESS + kernel.room
    initramfs_address = end + -end % MIB
    if initramfs_address + len(initramfs) + 32 * MIB > memory * MIB:
        sys.exit('the files do not fit: raise --memory')
    params = boot_params(kernel, initramfs_address, len(initramfs), memory)
    command_line = ' '.join(COMMAND_LINE.split()).encode() + b'\0'
    rom = bytearray(read_file(f'{folder}/rom'))
    rom[PARAMS_AT:PARAMS_AT + PARAMS_SIZE] = params
    rom[COMMAND_LINE_AT:COMMAND_LINE_AT + len(command_line)] = command_line
    struct.pack_into('<9I', rom, SEGMENTS_AT,
                     0, sectors(kernel.code), KERNEL_ADDRESS,
                     sectors(kernel.code), sectors(initramfs), initramfs_address,
                     0, 0, 0)
    struct.pack_into('<Q', rom, ENTRY_AT, KERNEL_ADDRESS + 0x200)
    write_file(f'{folder}/rom', rom)


def make_machine(args, folder, nonce):
    kernel = Kernel(args.kernel)
    initramfs = make_initramfs(args, folder, nonce)
    make_rom(folder, kernel, initramfs, args.memory)
    write_file(f'{folder}/disk', padded(padded(kernel.code, SECTOR) + initramfs, CYLINDER))
    # Bochs insists on a display's ROM, of one sector whose bytes add up to 0.
    vga = b'\x55\xaa\x01\xcb' + bytes(SECTOR - 5)
    write_file(f'{folder}/vga', vga + bytes([-sum(vga) % 256]))
    configuration = BOCHS_CONFIGURATION.format(
        folder=folder, memory=args.memory, cpu=args.cpu, ips=INSTRUCTIONS_PER_SECOND)
    write_file(f'{folder}/bochsrc', configuration.encode())
    write_file(f'{folder}/debugger', b'continue\n')


def boot(args, folder):
    """Runs the machine until it turns itself off; what it printed."""
    command = ['bochs', '-q', '-f', f'{folder}/bochsrc', '-rc', f'{folder}/debugger']
    with open(f'{folder}/output', 'wb') as output:
        try:
            subprocess.run(command, stdin=subprocess.DEVNULL, stdout=output,
                           stderr=subprocess.STDOUT, timeout=args.timeout, check=False,
                           env=dict(os.environ, TERM='xterm'))
        except subprocess.TimeoutExpired:
            print(f'no end after {args.timeout:g} s')
    if not os.path.exists(f'{folder}/console'):
        return read_file(f'{folder}/output').decode(errors='replace')
    return read_file(f'{folder}/console').decode(errors='replace').replace('\r', '')


def judge(args, nonce, console):
    """Whether all is as it must be, and what is to say about it."""
    flags = re.search(rf'^@@{nonce} flags\s*:(.*)$', console, re.M)
    flags = flags[1].split() if flags else []
    lacking = [flag for flag in args.require.split(',') if flag and flag not in flags]
    statuses = re.findall(rf'^@@{nonce} EXIT (\d+)$', console, re.M)
    count = len(args.run)
    done = re.search(rf'^@@{nonce} DONE {count} 0$', console, re.M)
    passed = not lacking and statuses == ['0'] * count and done is not None
    verdict = f'{statuses.count("0")} of {count} commands exited with 0'
    if lacking:
        verdict += f', the CPU lacks {" ".join(lacking)}'
    return passed, verdict


def main():
    args = parse_arguments()
    nonce = secrets.token_hex(8)
    with tempfile.TemporaryDirectory(prefix='bxlinux.') as folder:
        make_machine(args, folder, nonce)
        console = boot(args, folder)
    passed, verdict = judge(args, nonce, console)
    print(console.rstrip('\n'))
    print(f'{args.cpu}: {"passed" if passed else "FAILED"}: {verdict}')
    return 0 if passed else 1


if __name__ == '__main__':
    sys.exit(main())
