#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The keccakprov authors
"""Random questions for the oracles: lines of known answers without their `out`.

    cases.py SEED ROUNDS [large]

Each round asks every algorithm once, at and beside the sizes where something changes; `large` adds
the questions that are too large to be asked at random.
"""
import random
import sys

CHUNK = 8192  # of KangarooTwelve; also, a string of so many bytes needs a third byte for its bits
ENCODED = 32  # a string of so many bytes needs a second
PAD = 20      # an encoded string with all that bytepad puts around it, at most
XOF, FIXED = 1, 0


def one_of(*choices):
    """Each is a number, or a function that draws one."""
    drawn = random.choice(choices)
    return drawn() if callable(drawn) else drawn


def near(*marks):
    return lambda: max(0, random.choice(marks) + random.choice((-1, 0, 1)))


def below(limit):
    return lambda: random.randrange(limit)


def rarely(rare, usual):
    return lambda: rare() if random.random() < 0.05 else usual()


def message(rate):
    return one_of(near(0, rate, 2 * rate, 3 * rate), rarely(near(CHUNK), below(1000)))


def string(rate):
    """Of N, S or a key: often, what bytepad makes of it ends at the end of a block."""
    return one_of(0, near(0, ENCODED), lambda: rate - random.randrange(PAD),
                  rarely(near(CHUNK), below(rate + 50)))


def output(rate):
    return max(1, one_of(32, 64, near(rate, 2 * rate), below(501)))


def data(key, size):
    """Long data is a pattern in which no two chunks are alike, to keep the line short."""
    return f'{key}_ptn={size}' if size > 1000 else f'{key}={random.randbytes(size).hex()}'


def fixed(rate):
    return data('msg', message(rate))


def xof(rate):
    return f'{fixed(rate)} outlen={output(rate)}'


def custom(rate):
    return f'{data("s", string(rate))} xof={one_of(FIXED, XOF)}'


def cshake(rate):
    return f'{data("n", string(rate))} {data("s", string(rate))} {xof(rate)}'


def kmac(rate):
    return f'{data("key", string(rate))} {custom(rate)} {xof(rate)}'


def tuplehash(rate):
    elements = [random.randbytes(one_of(0, string(rate))).hex() for _ in range(random.randrange(6))]
    return f'tn={len(elements)} t={",".join(elements)} {custom(rate)} outlen={output(rate)}'


def parallelhash(rate):
    b = one_of(1, 7, 8, 64, near(rate), 1000, CHUNK, 10000, below(CHUNK)) or 1
    blocks = one_of(below(4), near(4, 8, 16), near(256) if b <= 8 else below(4))
    size = max(0, blocks * b + one_of(-1, 0, 1, below(b)))
    return f'b={b} {data("msg", size)} {custom(rate)} outlen={output(rate)}'


def turboshake(rate):
    return f'd={random.randint(0x01, 0x7f):02x} {xof(rate)}'


def kt(rate):
    """C and its encoded length count among the message's chunks."""
    c = one_of(0, rarely(near(CHUNK), near(256)), string(rate))
    encoded = (c.bit_length() + 7) // 8 + 1
    end = one_of(message(rate), near(CHUNK), near(*range(0, 10 * CHUNK, CHUNK), 17 * CHUNK),
                 below(6 * CHUNK))
    size = max(0, end - one_of(0, c + encoded))
    return f'{data("msg", size)} {data("c", c)} outlen={output(rate)}'


ALGORITHMS = [(f'{name}-{bits}', 200 - 2 * bits // 8, case)
              for name, case, sizes in (
                  ('SHA3', fixed, (224, 256, 384, 512)), ('KECCAK', fixed, (224, 256, 384, 512)),
                  ('SHAKE', xof, (128, 256)), ('KECCAK-KMAC', xof, (128, 256)),
                  ('CSHAKE', cshake, (128, 256)), ('KMAC', kmac, (128, 256)),
                  ('TUPLEHASH', tuplehash, (128, 256)), ('PARALLELHASH', parallelhash, (128, 256)),
                  ('TURBOSHAKE', turboshake, (128, 256)), ('KT', kt, (128, 256)))
              for bits in sizes]


def large():
    """Encoded numbers that grow by another byte."""
    for bits in 128, 256:
        for size in 2**21 - 1, 2**21:
            yield f'CSHAKE-{bits} n=4e s_ptn={size} msg= outlen=32'
            yield f'KMAC-{bits} key_ptn={size} s= msg= xof=0 outlen=32'
        for size in 256 * CHUNK - 1, 256 * CHUNK, 257 * CHUNK - 1, 257 * CHUNK:
            yield f'KT-{bits} msg_ptn={size} c= outlen=32'
            yield f'PARALLELHASH-{bits} b={CHUNK} msg_ptn={size} s= xof=0 outlen=32'
        for size in 2**16 - 1, 2**16:
            yield f'KT-{bits} msg= c_ptn={size} outlen=32'
            yield f'PARALLELHASH-{bits} b=1 msg_ptn={size} s= xof=1 outlen=32'
            yield f'PARALLELHASH-{bits} b={size} msg_ptn={3 * size} s= xof=1 outlen=32'


if __name__ == '__main__':
    random.seed(int(sys.argv[1]))
    for _ in range(int(sys.argv[2])):
        for word, rate, case in ALGORITHMS:
            print(word, case(rate))
    if 'large' in sys.argv[3:]:
        print(*large(), sep='\n')
