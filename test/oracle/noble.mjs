// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The keccakprov authors
//
// The Keccak family as @noble/hashes has it. What spec.py does: each line of stdin, in the form of
// test/data/known-answers.txt but without its `out`, comes out with it.
import { readFileSync } from 'node:fs';
import * as sha3 from '@noble/hashes/sha3.js';
import * as addons from '@noble/hashes/sha3-addons.js';

const hex = (text) => Uint8Array.from(Buffer.from(text, 'hex'));

const repeated = (unit, count) => Uint8Array.from(Buffer.from(unit.repeat(count), 'hex'));

class Fields extends Map {
    // KEY=hex, KEY_repeat=hex*count, or KEY_ptn=length: byte i is i mod 251.
    bytes(key) {
        if (this.has(key + '_repeat'))
            return repeated(...this.get(key + '_repeat').split('*'));
        if (this.has(key + '_ptn'))
            return Uint8Array.from({ length: this.get(key + '_ptn') }, (_, i) => i % 251);
        return hex(this.get(key));
    }

    number(key) {
        return Number(this.get(key));
    }

    // tn strings, commas between; or all prefixes of t_prefixes that are shorter than it.
    tuple() {
        if (this.has('t_prefixes')) {
            const whole = hex(this.get('t_prefixes'));
            return Array.from(whole, (_, i) => whole.slice(0, i));
        }
        return this.number('tn') > 0 ? this.get('t').split(',').map(hex) : [];
    }
}

// SP 800-185's functions and their XOFs have different names.
const chosen = (name, bits, fields) => addons[name + bits + (fields.number('xof') ? 'xof' : '')];

const plain = (bits, f) => ({ dkLen: f.number('outlen') });
const custom = (bits, f) => ({ dkLen: f.number('outlen'), personalization: f.bytes('s') });

const algorithms = {
    SHA3: (bits, f) => sha3[`sha3_${bits}`](f.bytes('msg')),
    KECCAK: (bits, f) => sha3[`keccak_${bits}`](f.bytes('msg')),
    SHAKE: (bits, f) => sha3[`shake${bits}`](f.bytes('msg'), plain(bits, f)),
    'KECCAK-KMAC': (bits, f) =>
        new sha3.Keccak(200 - bits / 4, 0x04, f.number('outlen'), true)
            .update(f.bytes('msg')).digest(),
    CSHAKE: (bits, f) =>
        addons[`cshake${bits}`](f.bytes('msg'), { ...custom(bits, f), NISTfn: f.bytes('n') }),
    KMAC: (bits, f) => chosen('kmac', bits, f)(f.bytes('key'), f.bytes('msg'), custom(bits, f)),
    TUPLEHASH: (bits, f) => chosen('tuplehash', bits, f)(f.tuple(), custom(bits, f)),
    PARALLELHASH: (bits, f) =>
        chosen('parallelhash', bits, f)(
            f.bytes('msg'), { ...custom(bits, f), blockLen: f.number('b') }),
    TURBOSHAKE: (bits, f) =>
        addons[`turboshake${bits}`](
            f.bytes('msg'), { ...plain(bits, f), D: parseInt(f.get('d'), 16) }),
    KT: (bits, f) =>
        addons[`kt${bits}`](
            f.bytes('msg'), { ...plain(bits, f), personalization: f.bytes('c') }),
};

function answer(line) {
    const [word, ...fields] = line.split(' ');
    const dash = word.lastIndexOf('-');
    const values = new Fields(fields.map((field) => field.split('=')));
    const out = algorithms[word.slice(0, dash)](word.slice(dash + 1), values);
    return `${line} out=${Buffer.from(out).toString('hex')}\n`;
}

for (const line of readFileSync(0, 'latin1').split('\n'))
    if (line !== '')
        process.stdout.write(answer(line));
