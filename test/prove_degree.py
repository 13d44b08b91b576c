#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The keccakprov authors
"""Bounds the degree of a round, and keeps its states apart, from its object code.

    prove_degree.py PROGRAM FUNCTION WAYS

Follows the straight-line x86-64 code of FUNCTION(a, e, rc), as objdump shows it, and computes for
each register and each byte of memory the degree over GF(2) of its bits as polynomials in the bits
of the WAYS states at a and of the constant rc. Exits 0 only if every byte of the states at e is
written and has a degree of at most 2, and if nothing of one state gets into another.

For the latter the 64-bit elements of a register or of memory belong to the states in turn, as the
lanes at a and e do; data that is not of the constant alone must stay in elements of its state. An
instruction that is not listed here, a branch, an address that depends on data: each is an error,
never a guess."""
import re
import subprocess
import sys
from collections import namedtuple

FULL = 2**64 - 1
# mask: the bits of each 64-bit element that may be 1; state: whether they depend on a state.
Bits = namedtuple("Bits", "degree mask state")
Pointer = namedtuple("Pointer", "base offset")
Cell = namedtuple("Cell", "value place")  # a byte of memory; place: which of a row of elements
ZERO = Bits(0, FULL, False)

# What the round may use. Moving and permuting bits, and adding them, keeps the degree.
MOVES = "mov vmovq vmovdqa vmovdqa64 vmovdqu vmovdqu32 vmovdqu64 vmovups vmovaps".split()
LEFT = {"shl", "vpsllq"}
RIGHT = {"shr", "vpsrlq"}
ROTATE = {"rol", "ror", "rorx", "vprolq", "vprorq"}
ACROSS = {"vpbroadcastq", "vpunpcklqdq"}  # between elements
ADD = {"xor", "vpxor", "vpxorq", "vpxord"}
MULTIPLY = {"and", "andn", "vpandn", "vpandnq", "vpand", "vpandq"}
OR = {"or", "vpor", "vporq"}
READ_DESTINATION = {"xor", "and", "or", "not", "shl", "shr", "rol", "ror", "vpternlogq"}
NOTHING = {"endbr64", "vzeroupper", "nop", "nopw", "nopl"}


def fail(why):
    sys.exit(f"prove_degree: {why}")


def ternary_monomials(table):
    """The monomials of a vpternlog truth table, as sets of operand indices, by Moebius transform."""
    form = [table >> i & 1 for i in range(8)]
    for bit in (1, 2, 4):
        form = [form[i] ^ (form[i ^ bit] if i & bit else 0) for i in range(8)]
    return [[k for k in range(3) if i >> (2 - k) & 1] for i in range(8) if form[i]]


class Machine:
    def __init__(self, program, ways):
        self.program, self.row = program, 8 * ways  # bytes of one lane of each state
        self.registers = {"rdi": Pointer("a", 0), "rsi": Pointer("e", 0), "rdx": Pointer("rc", 0),
                          "rsp": Pointer("stack", 0)}
        self.memory = {}

    @staticmethod
    def register(text):
        """The 64-bit or vector register that this one is or is the low part of, and its bytes."""
        if m := re.fullmatch(r"([xyz])mm(\d+)", text):
            return "v" + m[2], {"x": 16, "y": 32, "z": 64}[m[1]]
        if re.fullmatch(r"r(ax|bx|cx|dx|si|di|bp|sp|8|9|1[0-5])", text):
            return text, 8
        if re.fullmatch(r"e(ax|bx|cx|dx|si|di|bp|sp)", text):
            return "r" + text[1:], 4
        return fail(f"register {text}")

    def address(self, text):
        m = re.fullmatch(r"(-?0x[0-9a-f]+)?\(%(\w+)\)", text)
        if not m:
            fail(f"address {text}")
        at = self.registers.get(m[2])
        if m[2] != "rip" and not isinstance(at, Pointer):
            fail(f"address {text} depends on data")
        return at and Pointer(at.base, at.offset + int(m[1] or "0", 16))

    def spread(self, value):
        """A value gets into elements of all states."""
        if value.state and self.row > 8:
            fail("data of one state gets into another")

    def load(self, at, size):
        if at.base in ("a", "rc"):
            end = 25 * self.row if at.base == "a" else 8
            if at.offset % self.row != 0 or not 0 <= at.offset <= end - size:
                fail(f"{size} bytes are read at {at.base} + {at.offset}")
            return Bits(1, FULL, at.base == "a")
        cells = [self.memory.get((at.base, at.offset + i)) for i in range(size)]
        if any(cell is None or cell.place != i % self.row for i, cell in enumerate(cells)):
            fail(f"{at.base} + {at.offset} is not written, or not as it is read")
        if isinstance(cells[0].value, Pointer):
            return cells[0].value
        return Bits(max(c.value.degree for c in cells), FULL, any(c.value.state for c in cells))

    def read(self, text, size):
        if text.startswith("$"):
            return ZERO
        if text.startswith("%"):
            return self.registers.get(self.register(text[1:])[0], ZERO)
        text, broadcast = re.subn(r"\{1to\d+\}", "", text)
        at = self.address(text)
        if at is None:
            return ZERO  # a constant of the program
        value = self.load(at, 8 if broadcast else size)
        if broadcast:
            self.spread(value)
        return value

    def store(self, at, size, value):
        for i in range(size):
            self.memory[at.base, at.offset + i] = Cell(value, i % self.row)

    def write(self, text, size, value):
        if text.startswith("%"):
            self.registers[self.register(text[1:])[0]] = value
            return
        at = self.address(text)
        if at is None or at.base in ("a", "rc"):
            fail(f"write to {text}")
        self.store(at, size, value)

    def push(self, value):
        rsp = self.registers["rsp"]
        self.registers["rsp"] = rsp = Pointer(rsp.base, rsp.offset - 8)
        self.store(rsp, 8, value)

    def pop(self, name):
        rsp = self.registers["rsp"]
        self.registers[name] = self.load(rsp, 8)
        self.registers["rsp"] = Pointer(rsp.base, rsp.offset + 8)

    def stack(self, word, operands):
        """Prologue and epilogue. Aligning the stack gives it a new base: what is there is new."""
        if word == "push":
            self.push(self.registers.get(operands[0][1:], ZERO))
        elif word == "pop":
            self.pop(operands[0][1:])
        elif word == "leave":
            self.registers["rsp"] = self.registers["rbp"]
            self.pop("rbp")
        elif word == "and":
            self.registers["rsp"] = Pointer("aligned stack", 0)
        else:
            rsp = self.registers["rsp"]
            by = int(operands[0][1:], 16) * (1 if word == "add" else -1)
            self.registers["rsp"] = Pointer(rsp.base, rsp.offset + by)

    def check_shuffle(self, text, size):
        """The shuffle of bytes by the constant there leaves each in its element of 64 bits."""
        m = re.fullmatch(r"0x([0-9a-f]+)\(%rip\)", text)
        if not m:
            fail(f"vpshufb by {text}")
        for i, control in enumerate(constant(self.program, int(m[1], 16), size)):
            if control < 0x80 and (control ^ i) & 8:  # 0x80 makes a zero; bit 3 names the element
                fail(f"vpshufb moves byte {control & 15} to {i & 15}")

    def compute(self, word, operands, size):
        """The value of an instruction's last operand."""
        count = int(operands[0][1:], 16) if operands[0].startswith("$") else None
        read = operands if word in READ_DESTINATION else operands[:-1]
        sources = [self.read(o, size) for o in read if not o.startswith("$")]
        if word in MOVES:
            return sources[0]
        if word == "not":
            return sources[0]._replace(mask=FULL)
        if any(isinstance(s, Pointer) for s in sources):
            fail(f"{word} of an address")
        degrees, state = [s.degree for s in sources], any(s.state for s in sources)
        if word in LEFT:
            return Bits(degrees[0], sources[0].mask << count & FULL, state)
        if word in RIGHT:
            return Bits(degrees[0], sources[0].mask >> count, state)
        if word in ACROSS:
            self.spread(Bits(max(degrees), FULL, state))
        if word == "vpshufb":
            self.check_shuffle(operands[0], size)
        if word in ROTATE or word in ACROSS or word == "vpshufb":
            return Bits(max(degrees), FULL, state)
        if word == "vpternlogq":  # the destination is the table's highest index bit
            terms = [sum(degrees[2 - k] for k in m) for m in ternary_monomials(count)]
            return Bits(max(terms, default=0), FULL, state)
        if word in ADD or word in OR and sources[0].mask & sources[1].mask == 0:
            return Bits(max(degrees), sources[0].mask | sources[1].mask, state)
        if word in MULTIPLY or word in OR:
            return Bits(sum(degrees), FULL, state)
        return fail(f"instruction {word} {','.join(operands)}")

    def step(self, word, operands):
        if word in NOTHING:
            return
        if word in ("push", "pop", "leave") or word in ("add", "sub", "and") and operands[1] == "%rsp":
            self.stack(word, operands)
            return
        sizes = [self.register(o[1:])[1] for o in operands if o.startswith("%")]
        if not sizes or "{%k" in "".join(operands):
            fail(f"instruction {word} {','.join(operands)}")
        size = 8 if word in ("vmovq", "vpbroadcastq") else min(sizes)
        if word in ("xor", "vpxor", "vpxorq", "vpxord") and len(set(operands)) == 1:
            value = ZERO  # x ^ x
        else:
            value = self.compute(word, operands, size)
        self.write(operands[-1], size, value)


def objdump(*arguments):
    return subprocess.run(["objdump", *arguments], check=True, capture_output=True,
                          text=True).stdout


def constant(program, address, size):
    """The bytes of the program there."""
    dump = objdump("-s", f"--start-address={address}", f"--stop-address={address + size}", program)
    rows = re.findall(r"^ [0-9a-f]+ ((?:[0-9a-f]{8} ){4})", dump, re.M)
    data = bytes.fromhex("".join(rows))
    return data if len(data) == size else fail(f"no {size} bytes at {address:#x}")


def instructions(program, function):
    """Word and operands of each instruction, up to the one ret that ends the function. An address
    relative to rip is the one that it comes to."""
    code = objdump("-d", "--no-show-raw-insn", program).split(f"<{function}>:\n", 1)[1]
    for line in code.split("\n\n", 1)[0].splitlines():
        text, _, address = line.split("\t", 1)[1].partition("#")
        if address:
            text = re.sub(r"-?0x[0-9a-f]+\(%rip\)", f"0x{address.split()[0]}(%rip)", text)
        word, _, rest = text.strip().partition(" ")
        if word == "ret":
            return
        yield word, [o for o in re.split(r",(?![^(]*\))", rest.strip()) if o]
    fail("no ret")


def main():
    program, function, ways = sys.argv[1], sys.argv[2], int(sys.argv[3])
    machine, count = Machine(program, ways), 0
    for word, operands in instructions(program, function):
        machine.step(word, operands)
        count += 1
    result = machine.load(Pointer("e", 0), 25 * machine.row)
    apart = f"{ways} states kept apart, " if ways > 1 else ""
    print(f"{function}: {count} instructions, no branch, no address from data, {apart}"
          f"degree {result.degree}")
    if result.degree > 2:
        fail("a degree above 2")


main()
