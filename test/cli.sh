#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The keccakprov authors
#
# The openssl program and Python, as their users would start them. keccakprov's trace tells who did
# the hashing. Wants SOURCE_DIR, MODULE_DIR and BUILD_DIR in the environment.
set -eu
# shellcheck source=test/check.sh
. "$SOURCE_DIR/test/check.sh"

# conf NAME SED-SCRIPT: a variant of try.cnf.
conf() {
    sed "$2" "$try" >"$1"
}

sha3=3a985da74fe225b2045c172d6bd390bd855f086e3e9d525b46bfe24511431532
keccak=c5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470
ours="-provider-path $MODULE_DIR -provider keccakprov"

# Naming the provider is not enough: dgst has looked for its own name, and found OpenSSL's digests,
# before it loads the provider.
check 'dgst -provider alone: OpenSSL answers' '' "SHA3-256(abc)= $sha3" \
    "OPENSSL_MODULES=$MODULE_DIR openssl dgst -provider keccakprov -sha3-256 abc"
check 'dgst -provider-path too: OpenSSL answers' '' "SHA3-256(abc)= $sha3" \
    "openssl dgst $ours -sha3-256 abc"
check 'dgst -propquery' SHA3-256 "SHA3-256(abc)= $sha3" \
    "openssl dgst $ours -propquery provider=keccakprov -sha3-256 abc"
check 'dgst -propquery without the module' '' '*unsupported*' \
    '! openssl dgst -propquery provider=keccakprov -sha3-256 abc'
check 'dgst -propquery for what we lack' '' '*unsupported*' \
    "! openssl dgst $ours -propquery provider=keccakprov -sha256 abc"

check 'dgst by configuration' SHA3-256 "SHA3-256(abc)= $sha3" \
    "OPENSSL_CONF=$try openssl dgst -sha3-256 abc"
check 'KECCAK-256 of nothing' KECCAK-256 "KECCAK-256(/dev/null)= $keccak" \
    "OPENSSL_CONF=$try openssl dgst -keccak-256 /dev/null"
check 'SHAKE128 with a length' SHAKE-128 'SHAKE-128(abc)= 5881092dd8' \
    "OPENSSL_CONF=$try openssl dgst -shake128 -xoflen 5 abc"
same 'SHAKE256 beyond 64 bytes' SHAKE-256 'openssl dgst -shake256 -xoflen 1000 abc'
check 'cSHAKE without strings is SHAKE' CSHAKE-128 'CSHAKE-128(abc)= 5881092dd8' \
    "OPENSSL_CONF=$try openssl dgst -cshake128 -xoflen 5 abc"
check 'TurboSHAKE' TURBOSHAKE-128 'TURBOSHAKE-128(/dev/null)= 1e415f1c59' \
    "OPENSSL_CONF=$try openssl dgst -turboshake128 -xoflen 5 /dev/null"
check 'TupleHash: a file is an element' TUPLEHASH-128 'TUPLEHASH-128(abc)= 873195cadfea6bc6a71cdd903da87afb49fd232d71db817c3abcad48ad8a7898' \
    "OPENSSL_CONF=$try openssl dgst -tuplehash128 abc"
check 'several files' SHA3-256 "$sha3 [*]abc?$sha3 [*]abc" \
    "OPENSSL_CONF=$try openssl dgst -r -sha3-256 abc abc"
check 'another algorithm is left to OpenSSL' '' 'SHA2-256(abc)= ba7816bf*' \
    "OPENSSL_CONF=$try openssl dgst -sha256 abc"

check 'list names us' '' "*keccakprov*version:*status: active*build info: isa=auto -> *" \
    "OPENSSL_CONF=$try openssl list -providers -verbose"
check 'list names our digests' '' '*SHA3-256*@ keccakprov*' \
    "OPENSSL_CONF=$try openssl list -digest-algorithms"

conf broken 's|^module.*|module = /nonexistent/keccakprov.so|'
check 'module missing: OpenSSL serves' '' "SHA3-256(abc)= $sha3" \
    'OPENSSL_CONF=broken openssl dgst -sha3-256 abc'

conf unknown 's|^module.*|&\nisa = avx3|'
check 'unknown isa' '' '*build info: isa=avx3 (unknown) -> *' \
    'OPENSSL_CONF=unknown openssl list -providers -verbose'
check 'unknown isa, and not a word about it' SHA3-256 "SHA3-256(abc)= $sha3" \
    'OPENSSL_CONF=unknown openssl dgst -sha3-256 abc'
conf portable 's|^module.*|&\nisa = portable|'
check 'isa = portable' '' '*build info: isa=portable -> portable*' \
    'OPENSSL_CONF=portable openssl list -providers -verbose'
check 'isa = portable hashes' SHA3-256 "SHA3-256(abc)= $sha3" \
    'OPENSSL_CONF=portable openssl dgst -sha3-256 abc'
check 'OPENSSL_ia32cap takes features away' '' '*build info: isa=auto -> portable*' \
    "OPENSSL_ia32cap=0:0 OPENSSL_CONF=$try openssl list -providers -verbose"
conf tested 's|^module.*|&\nself-test = load|'
check 'self-test = load' '*SHA3-256*' "SHA3-256(abc)= $sha3" \
    'OPENSSL_CONF=tested openssl dgst -sha3-256 abc'

check 'trace to stderr' '' "keccakprov*: load, *keccakprov*: first use of SHA3-256*$sha3" \
    "OPENSSL_CONF=$try KECCAKPROV_TRACE=stderr openssl dgst -sha3-256 abc"
check 'two runs write one trace, which is for its owner alone' '' '2?600' \
    "umask 0; for run in 1 2; do OPENSSL_CONF=$try KECCAKPROV_TRACE=twice openssl dgst -sha3-256 \
        abc >/dev/null; done; grep -c 'first use' twice; stat -c %a twice"
check 'trace to where it cannot be' '' "SHA3-256(abc)= $sha3" \
    "OPENSSL_CONF=$try KECCAKPROV_TRACE=/nonexistent/trace openssl dgst -sha3-256 abc"

# The installed file, included at the end of the system's own configuration.
system=$(openssl version -d | sed 's/.*"\(.*\)"/\1/')/openssl.cnf
if [ -r "$system" ]; then
    cp "$system" stock
    sed "s|^module.*|module = $MODULE_DIR/keccakprov.so|" "$BUILD_DIR/conf/keccakprov.cnf" >ours.cnf
    echo ".include $tmp/ours.cnf" >>stock
    check 'stock openssl.cnf: SHA3-256' SHA3-256 "SHA3-256(abc)= $sha3" \
        'OPENSSL_CONF=stock openssl dgst -sha3-256 abc'
    check 'stock openssl.cnf: SHA-256' '' 'SHA2-256(abc)= ba7816bf*' \
        'OPENSSL_CONF=stock openssl dgst -sha256 abc'
    check 'stock openssl.cnf: random numbers' '' '????????????????' \
        'OPENSSL_CONF=stock openssl rand -hex 8'
    check 'stock openssl.cnf: keys' '' '' \
        'OPENSSL_CONF=stock openssl genpkey -algorithm ed25519 -out key'
else
    echo "no $system: not tested"
fi

# A trap that the manual names: with any provider activated, OpenSSL's own is no longer by itself.
conf lonely '/^default = /d'
check 'alone: SHA3-256' SHA3-256 "SHA3-256(abc)= $sha3" \
    'OPENSSL_CONF=lonely openssl dgst -sha3-256 abc'
check 'alone: no SHA-256' '' '*unsupported*' '! OPENSSL_CONF=lonely openssl dgst -sha256 abc'

same 'HMAC' SHA3-256 'openssl mac -digest SHA3-256 -macopt hexkey:00010203 -in abc HMAC'
same 'HKDF' SHA3-512 'openssl kdf -keylen 80 -kdfopt digest:SHA3-512 -kdfopt key:secret \
    -kdfopt salt:salt -kdfopt info:label HKDF'
same 'PBKDF2' SHA3-256 'openssl kdf -keylen 40 -kdfopt digest:SHA3-256 -kdfopt pass:password \
    -kdfopt salt:0123456789abcdef -kdfopt iter:1000 PBKDF2'
for bits in 128 256; do
    same "KMAC$bits" "KMAC-$bits" "openssl mac -macopt hexkey:404142434445464748494a4b4c4d4e4f \
        -macopt 'custom:My Tagged Application' -macopt size:70 -in abc KMAC$bits"
done
check 'KMAC with a long key and custom' KMAC-128 \
    'CBCC7AA1CDBDAF196E4A778EB7522518F4492CB5ABC0FFDA3A84E705135F92D2' "OPENSSL_CONF=$try openssl mac -macopt key:$(printf '%0600d' 0) \
        -macopt custom:$(printf '%0600d' 0) -in abc KMAC128"
check 'KMAC of OpenSSL on our KECCAK-KMAC' '*KECCAK-*128' 'BB6A1D487E9BB311DE5E34C4B194D977E154FEC647AD58E0D04F0E51F562563E' "OPENSSL_CONF=$try \
    openssl mac -propquery provider=default -macopt hexkey:40414243 -in abc KMAC128"
check 'HMAC refuses an XOF' '*' '' "! OPENSSL_CONF=$try openssl mac -digest SHAKE128 \
    -macopt hexkey:00 -in abc HMAC >refused 2>&1"

check 'a certificate signed with SHA3-256' SHA3-256 '' "OPENSSL_CONF=$try openssl req -x509 \
    -newkey rsa:2048 -nodes -keyout key -subj /CN=x -sha3-256 -out cert 2>/dev/null"
check 'its verification by OpenSSL' '' 'cert: OK' \
    'openssl verify -check_ss_sig -CAfile cert cert'
check 'its verification by us' SHA3-256 'cert: OK' \
    "OPENSSL_CONF=$try openssl verify -check_ss_sig -CAfile cert cert"
openssl genpkey -algorithm ed448 -out ed448
same 'Ed448' SHAKE-256 'openssl pkeyutl -sign -rawin -inkey ed448 -in abc | od -An -tx1'

check 'speed by configuration' '*SHA3-256*' '*sha3-256*' \
    "OPENSSL_CONF=$try openssl speed -evp sha3-256 -seconds 1 -bytes 64"

if [ -x /usr/bin/python3 ]; then
    # -I: no user's site-packages or PYTHON* variables.
    python() {
        printf '%s\n' "$1" >script.py
        echo '/usr/bin/python3 -I script.py'
    }
    same 'Python: hashlib' '*SHA3-256*SHAKE-128*' "$(python 'import hashlib
h = hashlib.sha3_256(b"a")
g = h.copy()
g.update(b"bc")
print(h.hexdigest(), g.hexdigest(), hashlib.new("sha3-512", b"abc").hexdigest())
print(hashlib.shake_128(b"abc").hexdigest(500))')"
    same 'Python: hmac, pbkdf2' '*SHA3-256*' "$(python 'import hashlib, hmac
print(hmac.digest(b"k", b"abc", "sha3_256").hex(), hmac.new(b"k", b"abc", "sha3_512").hexdigest())
print(hashlib.pbkdf2_hmac("sha3_256", b"password", b"salt", 100).hex())')"
    check 'Python: an algorithm that OpenSSL 3.0 lacks' '*KECCAK-256*' "$keccak" \
        "$(python 'import hashlib
print(hashlib.new("keccak-256").hexdigest())' | sed "s|^|OPENSSL_CONF=$try |")"
else
    echo 'no /usr/bin/python3: not tested'
fi

[ "$failed" -eq 0 ]
