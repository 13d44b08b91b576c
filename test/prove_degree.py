#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The keccakprov authors
"""Bounds the degree of a round, from its object code.

    prove_degree.py OBJECT FUNCTION BYTES

Follows the straight-line x86-64 code of FUNCTION(a, e, rc), as objdump shows it, and computes for
each register and each byte of memory the degree over GF(2) of its bits as polynomials in the bits
of the state a and of the constant rc. Exits 0 only if every one of the BYTES bytes at e is written
and has a degree of at most 2. An instruction that is not listed here, a branch, an address that
depends on data: each is an error, never a guess."""
import re
import subprocess
import sys
from collections import namedtuple

FULL = 2**64 - 1
Bits = namedtuple("Bits", "degree mask")  # of each 64-bit lane: the bits that may be 1
Pointer = namedtuple("Pointer", "base offset")
ZERO = Bits(0, FULL)

# What the round may use. Moving and permuting bits, and adding them, keeps the degree.
MOVES = "mov vmovq vmovdqa vmovdqa64 vmovdqu vmovdqu32 vmovdqu64 vmovups vmovaps vpbroadcastq".split()
LEFT = {"shl", "vpsllq"}
RIGHT = {"shr", "vpsrlq"}
ROTATE = {"rol", "ror", "rorx", "vprolq", "vprorq"}
ADD = {"xor", "vpxor", "vpxorq", "vpxord", "vpunpcklqdq", "vpunpckhqdq"}
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
    def __init__(self):
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

    def read(self, text, size):
        if text.startswith("$"):
            return ZERO
        if text.startswith("%"):
            return self.registers.get(self.register(text[1:])[0], ZERO)
        text, broadcast = re.subn(r"\{1to\d+\}", "", text)
        at = self.address(text)
        if at is None:
            return ZERO  # a constant of the object
        if at.base in ("a", "rc"):
            return Bits(1, FULL)
        cells = [self.memory.get((at.base, at.offset + i)) for i in range(8 if broadcast else size)]
        if None in cells:
            fail(f"{text} is read before it is written")
        if isinstance(cells[0], Pointer):
            return cells[0]
        return Bits(max(c.degree for c in cells), FULL)

    def write(self, text, size, value):
        if text.startswith("%"):
            self.registers[self.register(text[1:])[0]] = value
            return
        at = self.address(text)
        if at is None or at.base in ("a", "rc"):
            fail(f"write to {text}")
        for i in range(size):
            self.memory[at.base, at.offset + i] = value

    def push(self, value):
        rsp = self.registers["rsp"]
        self.registers["rsp"] = rsp = Pointer(rsp.base, rsp.offset - 8)
        for i in range(8):
            self.memory[rsp.base, rsp.offset + i] = value

    def pop(self, name):
        rsp = self.registers["rsp"]
        self.registers[name] = self.memory[rsp.base, rsp.offset]
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
        if word in LEFT:
            return Bits(sources[0].degree, sources[0].mask << count & FULL)
        if word in RIGHT:
            return Bits(sources[0].degree, sources[0].mask >> count)
        if word in ROTATE or word == "vpshufb" and "(%rip)" in operands[0]:
            return Bits(max(s.degree for s in sources), FULL)
        if word == "vpternlogq":  # the destination is the table's highest index bit
            inputs = [sources[2], sources[1], sources[0]]
            return Bits(max((sum(inputs[k].degree for k in m) for m in ternary_monomials(count)),
                            default=0), FULL)
        degrees = [s.degree for s in sources]
        if word in ADD or word in OR and sources[0].mask & sources[1].mask == 0:
            return Bits(max(degrees), sources[0].mask | sources[1].mask)
        if word in MULTIPLY or word in OR:
            return Bits(sum(degrees), FULL)
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
        size = 8 if word == "vmovq" else min(sizes)
        if word in ("xor", "vpxor", "vpxorq", "vpxord") and len(set(operands)) == 1:
            value = ZERO  # x ^ x
        else:
            value = self.compute(word, operands, size)
        self.write(operands[-1], size, value)


def instructions(path, function):
    """Word and operands of each instruction, up to the one ret that ends the function."""
    listing = subprocess.run(["objdump", "-d", "--no-show-raw-insn", path], check=True,
                             capture_output=True, text=True).stdout
    code = listing.split(f"<{function}>:\n", 1)[1].split("\n\n", 1)[0]
    for line in code.splitlines():
        word, _, rest = line.split("\t", 1)[1].split("#")[0].strip().partition(" ")
        if word == "ret":
            return
        yield word, [o for o in re.split(r",(?![^(]*\))", rest.strip()) if o]
    fail("no ret")


def main():
    path, function, size = sys.argv[1], sys.argv[2], int(sys.argv[3])
    machine, count = Machine(), 0
    for word, operands in instructions(path, function):
        machine.step(word, operands)
        count += 1
    output = [machine.memory.get(("e", i)) for i in range(size)]
    if None in output:
        fail("not all of e is written")
    degree = max(bits.degree for bits in output)
    print(f"{function}: {count} instructions, no branch, no address from data, degree {degree}")
    if degree > 2:
        fail("a degree above 2")


main()
