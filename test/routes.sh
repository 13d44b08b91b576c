#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The keccakprov authors
#
# What of libcrypto and libssl is made of these digests, with and without keccakprov: the same
# answers, and each accepts what the other made. Wants SOURCE_DIR and BUILD_DIR in the environment.
set -eu
# shellcheck source=test/check.sh
. "$SOURCE_DIR/test/check.sh"

version=$(openssl version | sed 's/^[^ ]* \([0-9]*\)\.\([0-9]*\).*/\1 \2/')

# at_least MAJOR MINOR: the running OpenSSL's version
at_least() {
    [ "${version% *}" -gt "$1" ] ||
        { [ "${version% *}" -eq "$1" ] && [ "${version#* }" -ge "$2" ]; }
}

# both_ways WHAT USED USED MAKE TAKE: what MAKE makes, TAKE takes, each once with keccakprov.
both_ways() {
    check "$1, made with keccakprov" "$2" '' "OPENSSL_CONF=$try; $4"
    check "$1, taken without" '' '*' "$5"
    check "$1, made without" '' '' "$4"
    check "$1, taken with keccakprov" "$3" '*' "OPENSSL_CONF=$try; $5"
}

# A key pair: KEY is the private one, KEY.pub the public.
key() {
    name=$1
    shift
    openssl genpkey -out "$name" "$@" 2>/dev/null
    openssl pkey -in "$name" -pubout -out "$name.pub"
}

# Message authentication and key derivation.
hexkey=hexkey:404142434445464748494a4b4c4d4e4f505152535455565758595a5b5c5d5e5f
for bits in 128 256; do
    mac="openssl mac -macopt $hexkey -in abc"
    same "KMAC$bits" "*$bits" "$mac -macopt custom:S -macopt size:200 KMAC$bits"
    same "KMAC$bits as an XOF" "*$bits" "$mac -macopt xof:1 KMAC$bits"
done
for bits in 224 256 384 512; do
    same "HMAC-SHA3-$bits" "SHA3-$bits" \
        "openssl mac -macopt $hexkey -digest SHA3-$bits -in abc HMAC"
done
kdf="openssl kdf -keylen 150 -kdfopt $hexkey -kdfopt info:i"
same HKDF SHA3-384 "$kdf -kdfopt digest:SHA3-384 -kdfopt salt:s HKDF"
same 'HKDF, expand only' SHA3-256 "$kdf -kdfopt digest:SHA3-256 -kdfopt mode:EXPAND_ONLY HKDF"
same SSKDF SHA3-256 "$kdf -kdfopt digest:SHA3-256 SSKDF"
same 'SSKDF with HMAC' SHA3-512 "$kdf -kdfopt mac:HMAC -kdfopt digest:SHA3-512 -kdfopt salt:s SSKDF"
same 'SSKDF with KMAC' '*128' "$kdf -kdfopt mac:KMAC128 -kdfopt maclen:48 -kdfopt salt:sodium SSKDF"
same X963KDF SHA3-224 "$kdf -kdfopt digest:SHA3-224 X963KDF"
same X942KDF SHA3-256 "openssl kdf -keylen 14 -kdfopt digest:SHA3-256 -kdfopt $hexkey \
    -kdfopt cekalg:id-aes128-wrap X942KDF-ASN1"
same SSHKDF SHA3-256 "openssl kdf -keylen 90 -kdfopt digest:SHA3-256 -kdfopt $hexkey \
    -kdfopt xcghash:x -kdfopt session_id:y -kdfopt type:A SSHKDF"
same PBKDF2 SHA3-256 "openssl kdf -keylen 90 -kdfopt digest:SHA3-256 -kdfopt pass:password \
    -kdfopt salt:0123456789abcdef -kdfopt iter:1000 PBKDF2"
same KBKDF SHA3-256 "$kdf -kdfopt mac:HMAC -kdfopt digest:SHA3-256 -kdfopt salt:s KBKDF"
if at_least 3 1; then
    same 'KBKDF with KMAC' '*256' "$kdf -kdfopt mac:KMAC256 -kdfopt salt:sodium KBKDF"
fi
if at_least 3 2; then
    same HMAC-DRBG-KDF SHA3-256 "openssl kdf -keylen 90 -kdfopt digest:SHA3-256 \
        -kdfopt hexentropy:000102030405060708090a0b0c0d0e0f -kdfopt hexnonce:0001 HMAC-DRBG-KDF"
fi

# A generator of random numbers, which since 3.5 uses ours only when told so.
sed 's/^alg_section.*/&\nrandom = random/' "$try" >drbg
printf '[random]\nrandom = HASH-DRBG\ndigest = SHA3-256\nproperties = ?provider=keccakprov\n' >>drbg
check HASH-DRBG SHA3-256 '??????????????????' 'OPENSSL_CONF=drbg openssl rand -hex 9'

# Signatures by way of a digest.
key rsa -algorithm RSA -pkeyopt rsa_keygen_bits:2048
key ec -algorithm EC -pkeyopt ec_paramgen_curve:P-256
for bits in 224 256 384 512; do
    md=-sha3-$bits
    pss="$md -sigopt rsa_padding_mode:pss -sigopt rsa_pss_saltlen:20"
    same "RSA, PKCS #1, SHA3-$bits" "SHA3-$bits" "openssl dgst $md -sign rsa -hex abc"
    same "RSA, PSS without salt, SHA3-$bits" "SHA3-$bits" \
        "openssl dgst $md -sigopt rsa_padding_mode:pss -sigopt rsa_pss_saltlen:0 -sign rsa -hex abc"
    both_ways "RSA, PSS, SHA3-$bits" "SHA3-$bits" "SHA3-$bits" \
        "openssl dgst $pss -sign rsa -out sig abc" \
        "openssl dgst $pss -verify rsa.pub -signature sig abc"
    both_ways "ECDSA, SHA3-$bits" "SHA3-$bits" "SHA3-$bits" \
        "openssl dgst $md -sign ec -out sig abc" \
        "openssl dgst $md -verify ec.pub -signature sig abc"
    ! at_least 3 2 || same "ECDSA without chance, SHA3-$bits" "SHA3-$bits" \
        "openssl dgst $md -sign ec -sigopt nonce-type:1 -hex abc"
done
# Ethereum's digest, which OpenSSL has since 3.2, and RSA has no padding for.
keccak_sign='openssl dgst -keccak-256 -sign ec -out sig abc'
keccak_verify='openssl dgst -keccak-256 -verify ec.pub -signature sig abc'
if at_least 3 5; then
    both_ways 'ECDSA, KECCAK-256' KECCAK-256 KECCAK-256 "$keccak_sign" "$keccak_verify"
else
    check 'ECDSA, KECCAK-256' KECCAK-256 'Verified OK' \
        "OPENSSL_CONF=$try; $keccak_sign && $keccak_verify"
fi
oaep='-pkeyopt rsa_padding_mode:oaep -pkeyopt rsa_oaep_md:sha3-256 -pkeyopt rsa_mgf1_md:sha3-512'
both_ways 'RSA, OAEP' 'SHA3-256 SHA3-512' 'SHA3-256 SHA3-512' \
    "openssl pkeyutl -encrypt -pubin -inkey rsa.pub $oaep -in abc -out sealed" \
    "openssl pkeyutl -decrypt -inkey rsa $oaep -in sealed | cmp - abc"

# signs KEY USED [OPTION...]: signatures without chance, over the message itself.
signs() {
    name=$1
    used=$2
    shift 2
    same "$name signs" "$used" "openssl pkeyutl -sign -rawin -inkey $name $* -in abc | od -An -tx1"
    both_ways "a signature by $name" "$used" "$used" \
        "openssl pkeyutl -sign -rawin -inkey $name -in abc -out sig" \
        "openssl pkeyutl -verify -rawin -pubin -inkey $name.pub -in abc -sigfile sig"
}

key ed448 -algorithm ED448
signs ed448 SHAKE-256

# keygen NAME USED SEED: a key from a seed, and its public key, are the same.
hex32=000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f
keygen() {
    same "$1 keys" "$2" "openssl genpkey -algorithm $1 -pkeyopt hexseed:$3 -text"
    key "$1" -algorithm "$1"
}

# 4.0's SLH-DSA calls its own Keccak and no provider's.
slh=SHAKE-256
! at_least 4 0 || slh=
if at_least 3 5; then
    for name in ML-KEM-512 ML-KEM-768 ML-KEM-1024; do
        keygen $name 'SHA3-256 SHA3-512 SHAKE-128 SHAKE-256' $hex32$hex32
        both_ways "$name" '*SHA3-512*' '*SHA3-512*SHAKE-256*' \
            "openssl pkeyutl -encap -pubin -inkey $name.pub -secret secret -out sealed" \
            "openssl pkeyutl -decap -inkey $name -in sealed -secret opened && cmp secret opened"
        { cat sealed && echo; } | tail -c +2 >spoilt
        same "$name, a spoilt message" '*SHAKE-256' "openssl pkeyutl -decap -inkey $name -in spoilt \
            -secret opened && od -An -tx1 opened"
    done
    for name in ML-DSA-44 ML-DSA-65 ML-DSA-87; do
        keygen $name 'SHAKE-128 SHAKE-256' $hex32
        signs "$name" '*SHAKE-256' -pkeyopt deterministic:1
    done
    for name in SLH-DSA-SHAKE-128f ${TEST_ALL:+SLH-DSA-SHAKE-128s SLH-DSA-SHAKE-192f \
        SLH-DSA-SHAKE-192s SLH-DSA-SHAKE-256f SLH-DSA-SHAKE-256s}; do
        bits=${name#SLH-DSA-SHAKE-} # of which the seed is three times as long
        keygen "$name" "$slh" "$(echo $hex32$hex32$hex32 | cut -c "1-$((${bits%[fs]} * 6 / 8))")"
        signs "$name" "$slh" -pkeyopt deterministic:1
    done
fi

# Certificates, messages, connections.
certificate() {
    both_ways "a certificate of $1" "$2" "$2" \
        "openssl req -x509 -new -key $1 -subj /CN=x $3 -out $1.crt" \
        "openssl verify -check_ss_sig -CAfile $1.crt $1.crt"
}
certificate rsa '*SHA3-256' -sha3-256
certificate ed448 '*SHAKE-256' ''
if at_least 3 5; then
    certificate ec '*SHA3-384' -sha3-384 # 3.0 does not know the name of such a signature
    certificate ML-DSA-65 '*SHAKE-256' ''
    certificate SLH-DSA-SHAKE-128f "$slh" ''
fi
# cms SIGNER MD USED: a signed message; signed attributes are digested once, the content twice.
cms() {
    both_ways "CMS, $1, $2" "$3" "*$3*" \
        "openssl cms -sign -binary -nodetach -md $2 -signer $1.crt -inkey $1 -in abc \
            -outform DER -out message" \
        "openssl cms -verify -binary -inform DER -in message -CAfile $1.crt -purpose any -out got \
            2>/dev/null && cmp got abc"
}
for bits in 224 256 384 512; do
    cms rsa sha3-$bits SHA3-$bits
done
if at_least 3 5; then
    cms ec sha3-256 SHA3-256
    at_least 4 0 || cms ed448 shake256 SHAKE-256 # 4.0 refuses, with its own digests too
    cms ML-DSA-65 shake256 '*SHAKE-256'
    cms SLH-DSA-SHAKE-128f shake256 SHAKE-256
fi
both_ways 'CMS, a digest' SHA3-512 SHA3-512 \
    "openssl cms -digest_create -binary -md sha3-512 -in abc -outform DER -out message" \
    "openssl cms -digest_verify -inform DER -in message -out got 2>/dev/null && cmp got abc"
if at_least 3 6; then
    openssl req -new -key rsa -subj /CN=recipient -out request
    for name in ML-KEM-512 ML-KEM-768 ML-KEM-1024; do
        openssl x509 -req -in request -CA rsa.crt -CAkey rsa -force_pubkey $name.pub \
            -out $name.crt 2>/dev/null
        both_ways "CMS, sealed for $name" '*SHA3-512*' '*SHA3-512*SHAKE-256*' \
            "openssl cms -encrypt -binary -aes-256-cbc -recip $name.crt -in abc -outform DER \
                -out message" \
            "openssl cms -decrypt -binary -inform DER -in message -recip $name.crt -inkey $name \
                -out got && cmp got abc"
    done
fi
both_ways 'PKCS #12' SHA3-256 SHA3-256 \
    "openssl pkcs12 -export -in rsa.crt -inkey rsa -macalg sha3-256 -passout pass:x -out bag" \
    "openssl pkcs12 -in bag -passin pass:x -noout"

# connect SERVER-CONF CLIENT-CONF KEY: prints the key exchange, and whether the certificate is good.
connect() {
    rm -f socket
    OPENSSL_CONF=$1 openssl s_server -unix socket -naccept 1 -rev -key "$3" -cert "$3.crt" -tls1_3 \
        >server 2>&1 &
    for _ in 1 2 3 4 5 6 7 8 9; do
        [ -S socket ] || sleep 1
    done
    echo | OPENSSL_CONF=$2 openssl s_client -unix socket -groups X25519MLKEM768 -CAfile "$3.crt" \
        >client 2>&1
    wait $!
    grep -oE 'X25519MLKEM768|Verification: .*' client | sort -u | tr '\n' ' '
}
if at_least 3 5; then
    for name in rsa ML-DSA-65; do
        check "TLS, $name, keccakprov serves" '*SHA3-256*' 'Verification: OK X25519MLKEM768 ' \
            "connect $try /dev/null $name"
        check "TLS, $name, keccakprov asks" '*SHA3-256*' 'Verification: OK X25519MLKEM768 ' \
            "connect /dev/null $try $name"
    done
fi

# 4.0's own cSHAKE is made of ours.
if at_least 4 0; then
    check 'cSHAKE of the default provider' SHAKE-128 'CSHAKE-128(abc)= 5881092dd8' \
        "OPENSSL_CONF=$try openssl dgst -propquery provider=default -cshake128 -xoflen 5 abc"
fi

[ "$failed" -eq 0 ]
