#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The keccakprov authors
"""The Keccak family as its standards write it: slow, short, to be read beside them.

FIPS 202, SP 800-185 and RFC 9861, for messages of whole bytes. Used for nothing but to say what the
answer is: each line of stdin, in the form of test/data/known-answers.txt but without its `out`,
comes out with it.
"""
import sys
from multiprocessing import Pool

# FIPS 202, section 3: the permutation. The lane (x, y) of the state is A[x + 5y].

XY = [(x, y) for y in range(5) for x in range(5)]


def rotate(lane, n):
    return (lane << n | lane >> 64 - n) & 2**64 - 1


def rho_offsets():
    """3.2.2, algorithm 2"""
    offsets = [0] * 25
    x, y = 1, 0
    for t in range(24):
        offsets[x + 5 * y] = (t + 1) * (t + 2) // 2 % 64
        x, y = y, (2 * x + 3 * y) % 5
    return offsets


def rc(t):
    """3.2.5, algorithm 5; bit i of R is R[i]"""
    R = 1
    for _ in range(t % 255):
        R <<= 1
        if R & 1 << 8:
            R ^= 1 << 8 | 1 << 6 | 1 << 5 | 1 << 4 | 1
    return R & 1


OFFSETS = rho_offsets()
RC = [sum(rc(j + 7 * i) << 2**j - 1 for j in range(7)) for i in range(24)]


def theta(A):
    C = [A[x] ^ A[x + 5] ^ A[x + 10] ^ A[x + 15] ^ A[x + 20] for x in range(5)]
    D = [C[(x - 1) % 5] ^ rotate(C[(x + 1) % 5], 1) for x in range(5)]
    return [A[x + 5 * y] ^ D[x] for x, y in XY]


def rho(A):
    return [rotate(lane, n) for lane, n in zip(A, OFFSETS)]


def pi(A):
    return [A[(x + 3 * y) % 5 + 5 * x] for x, y in XY]


def chi(A):
    return [A[x + 5 * y] ^ ~A[(x + 1) % 5 + 5 * y] & A[(x + 2) % 5 + 5 * y] for x, y in XY]


def iota(A, i):
    return [A[0] ^ RC[i]] + A[1:]


def keccak_p(state, rounds):
    """3.3, algorithm 7, on the bytes of the state; 3.1.2 and B.1: lanes are little-endian"""
    A = [int.from_bytes(state[i:i + 8], 'little') for i in range(0, 200, 8)]
    for i in range(24 - rounds, 24):
        A = iota(chi(pi(rho(theta(A)))), i)
    return b''.join(lane.to_bytes(8, 'little') for lane in A)


def xor(a, b):
    return bytes(x ^ y for x, y in zip(a, b))


def rate(strength):
    """In bytes: the capacity is twice the strength, or twice the length of the digest, in bits."""
    return 200 - 2 * strength // 8


def sponge(strength, M, suffix, outlen, rounds=24):
    """Section 4, algorithm 8. suffix is the byte, as in B.2 and RFC 9861's D, that holds the bits
    which follow the message and the first 1 of pad10*1."""
    r = rate(strength)
    P = M + bytes([suffix])
    P += bytes(-len(P) % r)
    P = P[:-1] + bytes([P[-1] ^ 0x80])
    S = bytes(200)
    for i in range(0, len(P), r):
        S = keccak_p(xor(S[:r], P[i:i + r]) + S[r:], rounds)
    Z = S[:r]
    while len(Z) < outlen:
        S = keccak_p(S, rounds)
        Z += S[:r]
    return Z[:outlen]


# FIPS 202, section 6: the suffixes of B.2. KECCAK is the submission, which had none; what OpenSSL
# calls KECCAK-KMAC is KECCAK[c](M || 00, d), the sponge under cSHAKE.

def sha3(d, M):
    return sponge(d, M, 0x06, d // 8)


def keccak(d, M):
    return sponge(d, M, 0x01, d // 8)


def shake(strength, M, outlen):
    return sponge(strength, M, 0x1f, outlen)


def keccak_kmac(strength, M, outlen):
    return sponge(strength, M, 0x04, outlen)


# SP 800-185. Its lengths are in bits.

def base256(x):
    """2.3.1: the fewest bytes, but at least one"""
    return x.to_bytes(max(1, (x.bit_length() + 7) // 8), 'big')


def left_encode(x):
    return bytes([len(base256(x))]) + base256(x)


def right_encode(x):
    return base256(x) + bytes([len(base256(x))])


def encode_string(S):
    """2.3.2"""
    return left_encode(8 * len(S)) + S


def bytepad(X, w):
    """2.3.3"""
    X = left_encode(w) + X
    return X + bytes(-len(X) % w)


def cshake(strength, X, outlen, N, S):
    """3.3"""
    if N == b'' and S == b'':
        return shake(strength, X, outlen)
    prefix = bytepad(encode_string(N) + encode_string(S), rate(strength))
    return keccak_kmac(strength, prefix + X, outlen)


def output_length(outlen, xof):
    """4.3.1, 5.3.1, 6.3.1: the XOFs encode 0"""
    return right_encode(0 if xof else 8 * outlen)


def kmac(strength, K, X, outlen, S, xof):
    """4.3"""
    X = bytepad(encode_string(K), rate(strength)) + X + output_length(outlen, xof)
    return cshake(strength, X, outlen, b'KMAC', S)


def tuplehash(strength, X, outlen, S, xof):
    """5.3"""
    z = b''.join(encode_string(element) for element in X)
    return cshake(strength, z + output_length(outlen, xof), outlen, b'TupleHash', S)


def chunks(X, size):
    return [X[i:i + size] for i in range(0, len(X), size)]


def parallelhash(strength, X, B, outlen, S, xof):
    """6.3"""
    blocks = chunks(X, B)
    z = left_encode(B)
    z += b''.join(cshake(strength, block, 2 * strength // 8, b'', b'') for block in blocks)
    z += right_encode(len(blocks)) + output_length(outlen, xof)
    return cshake(strength, z, outlen, b'ParallelHash', S)


# RFC 9861. Its lengths are in bytes.

def turboshake(strength, M, D, outlen):
    """2.2"""
    return sponge(strength, M, D, outlen, rounds=12)


def length_encode(x):
    """3.3: no byte at all for 0"""
    X = x.to_bytes((x.bit_length() + 7) // 8, 'big')
    return X + bytes([len(X)])


def kt(strength, M, C, outlen):
    """3.2"""
    first, *rest = chunks(M + C + length_encode(len(C)), 8192)
    if not rest:
        return turboshake(strength, first, 0x07, outlen)
    node = first + bytes([3, 0, 0, 0, 0, 0, 0, 0])
    node += b''.join(turboshake(strength, leaf, 0x0b, 2 * strength // 8) for leaf in rest)
    node += length_encode(len(rest)) + b'\xff\xff'
    return turboshake(strength, node, 0x06, outlen)


# A line of known answers.

class Fields(dict):
    def bytes(self, key):
        """key=hex, key_repeat=hex*count, or key_ptn=length: byte i is i mod 251"""
        if key + '_repeat' in self:
            unit, count = self[key + '_repeat'].split('*')
            return bytes.fromhex(unit) * int(count)
        if key + '_ptn' in self:
            return bytes(i % 251 for i in range(int(self[key + '_ptn'])))
        return bytes.fromhex(self[key])

    def number(self, key):
        return int(self[key])

    def tuple(self):
        """tn strings, commas between; or all prefixes of t_prefixes that are shorter than it"""
        if 't_prefixes' in self:
            whole = bytes.fromhex(self['t_prefixes'])
            return [whole[:i] for i in range(len(whole))]
        strings = [bytes.fromhex(s) for s in self['t'].split(',')]
        return strings if self.number('tn') > 0 else []


ALGORITHMS = {
    'SHA3': lambda bits, f: sha3(bits, f.bytes('msg')),
    'KECCAK': lambda bits, f: keccak(bits, f.bytes('msg')),
    'SHAKE': lambda bits, f: shake(bits, f.bytes('msg'), f.number('outlen')),
    'KECCAK-KMAC': lambda bits, f: keccak_kmac(bits, f.bytes('msg'), f.number('outlen')),
    'CSHAKE': lambda bits, f: cshake(
        bits, f.bytes('msg'), f.number('outlen'), f.bytes('n'), f.bytes('s')),
    'KMAC': lambda bits, f: kmac(
        bits, f.bytes('key'), f.bytes('msg'), f.number('outlen'), f.bytes('s'), f.number('xof')),
    'TUPLEHASH': lambda bits, f: tuplehash(
        bits, f.tuple(), f.number('outlen'), f.bytes('s'), f.number('xof')),
    'PARALLELHASH': lambda bits, f: parallelhash(
        bits, f.bytes('msg'), f.number('b'), f.number('outlen'), f.bytes('s'), f.number('xof')),
    'TURBOSHAKE': lambda bits, f: turboshake(
        bits, f.bytes('msg'), int(f['d'], 16), f.number('outlen')),
    'KT': lambda bits, f: kt(bits, f.bytes('msg'), f.bytes('c'), f.number('outlen')),
}


def answer(line):
    word, *fields = line.rstrip('\n').split(' ')
    family, bits = word.rsplit('-', 1)
    fields = Fields(field.split('=', 1) for field in fields)
    return f'{line.rstrip()} out={ALGORITHMS[family](int(bits), fields).hex()}'


if __name__ == '__main__':
    with Pool() as pool:
        for answered in pool.imap(answer, sys.stdin):
            print(answered)
