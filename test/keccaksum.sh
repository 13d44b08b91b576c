#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The keccakprov authors
#
# keccaksum as its users would start it. Where sha256sum has the feature, it is asked the same
# questions, and everything but the digests must come out the same. Wants MODULE_DIR, BUILD_DIR and
# SOURCE_DIR in the environment.
# shellcheck disable=SC2016,SC2034 # commands are quoted for eval, and so is $SUM
set -eu
unset OPENSSL_CONF OPENSSL_MODULES OPENSSL_ia32cap KECCAKPROV_TRACE
export LC_ALL=C OPENSSL_MODULES="$MODULE_DIR"

tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
cd "$tmp"
PATH=$BUILD_DIR/keccaksum:$PATH
failed=0

# verdict WHAT WANTED GOT
verdict() {
    if [ "$2" = "$3" ]; then
        echo "ok $1"
    else
        failed=$((failed + 1))
        printf 'FAIL %s\n  wanted: %s\n  got:    %s\n' "$1" "$2" "$3"
    fi
}

# check WHAT WANTED COMMAND: what the command prints, errors included; then its exit code, if not 0.
check() {
    status=0
    got=$(eval "$3" 2>&1) || status=$?
    [ "$status" -eq 0 ] || got="$got [$status]"
    verdict "$1" "$2" "$got"
}

# observe SUM COMMAND: output, errors and exit code of the command, less what tells one SUM from
# another: the digests, its own name and its quotes.
observe() {
    SUM=$1
    status=0
    eval "$2" >out 2>err </dev/null || status=$?
    echo "out:"
    tr '\0' '@' <out | sed -E 's/[0-9a-f]{64}/DIGEST/g; s/SHA256|SHA3-256/TAG/g'
    echo "err:"
    sed "s/'//g; s/[a-z0-9]*sum\>/sum/; s/SHA256 //; s/\(write error\):.*/\1/" err
    echo "exit: $status"
}

# like WHAT COMMAND: the same of $SUM, whichever it is.
like() {
    verdict "$1" "$(observe sha256sum "$2")" "$(observe 'keccaksum -a sha3-256' "$2")"
}

printf abc >abc
printf 'a b' >'a b'
: >empty
printf x >'new
line'
printf y >'back\slash'
mkdir folder
most="abc 'a b' empty 'new
line'"
all="$most 'back\\slash'"

like 'one file' '$SUM abc'
like 'several files, two of them strange' "\$SUM $all"
like 'binary' '$SUM -b abc empty'
like 'text' '$SUM --text abc'
like 'tag' "\$SUM --tag $all"
like 'tag and binary' '$SUM --tag --binary abc'
like 'zero' "\$SUM -z $all"
like 'zero and tag' "\$SUM --zero --tag $all"
like 'standard input, unnamed' 'cat abc | $SUM'
like 'standard input, named' 'cat abc | $SUM empty - abc'
like 'missing file' '$SUM abc missing empty'
like 'a folder' '$SUM folder abc'
like 'after --' 'cp abc ./-c; $SUM -- -c'
like 'options after files' '$SUM abc --tag'
like 'unknown option' '$SUM --nonsense abc'
like 'ambiguous option' '$SUM --st abc'
like 'nowhere to write to' '$SUM abc >/dev/full'

like 'check' "\$SUM $most >list; \$SUM -c list"
like 'check, tagged' "\$SUM --tag $most >list; \$SUM --check list"
check 'check, with a backslash' '\back\\slash: OK' \
    'keccaksum -a sha3-256 "back\slash" | keccaksum -a sha3-256 -c'
like 'check, binary' '$SUM -b abc >list; $SUM -c list'
like 'check standard input' '$SUM abc | $SUM -c'
like 'check standard input, named' '$SUM abc | $SUM -c -'
like 'check standard input, which its own list names' \
    '($SUM empty; cat abc | $SUM) | $SUM -c --warn'
like 'check two lists' '$SUM abc >list; $SUM empty >list2; $SUM -c list list2'
like 'the list is missing' '$SUM -c missing'
like 'the list is empty' '$SUM -c empty'
like 'the list is of nothing' '$SUM -c abc'
like 'one list is missing' '$SUM abc >list; $SUM -c missing list'
like 'mismatch' '$SUM abc empty >list; printf x >>empty; $SUM -c list; s=$?; : >empty; exit $s'
like 'two mismatches' "\$SUM abc empty | sed 's/^.\{64\}/$(printf %064d 0)/' | \$SUM -c"
like 'upper case' '$SUM abc | tr a-f A-F | $SUM -c'
for options in '' --quiet --status --strict --warn --ignore-missing '--strict --warn' \
    '--quiet --ignore-missing' '--status --strict --warn' '--status --ignore-missing'; do
    like "check $options: all is well" "\$SUM abc empty | \$SUM -c $options"
    like "check $options: mismatch" "\$SUM abc | sed 's/^../00/' | \$SUM -c $options"
    like "check $options: file missing" \
        "(\$SUM abc; \$SUM abc | sed 's/abc/gone/') | \$SUM -c $options"
    like "check $options: files missing, none there" \
        "\$SUM abc abc | sed 's/abc/gone/' | \$SUM -c $options"
    like "check $options: one bad line" "(\$SUM abc; echo bad line) | \$SUM -c $options"
    like "check $options: bad lines" \
        "(echo x; \$SUM abc; echo; echo '#c'; echo bad line) | \$SUM -c $options"
    like "check $options: only bad lines" "echo bad line | \$SUM -c $options"
    like "check $options: everything bad" "(echo x; \$SUM abc | sed 's/abc/gone/'
        \$SUM abc | sed 's/^../00/'; \$SUM abc | sed 's/^/  /') | \$SUM -c $options"
done
like 'check a folder' '$SUM abc | sed s/abc/folder/ | $SUM -c'
like 'CRLF' '$SUM abc | sed "s/\$/\r/" | $SUM -c'
like 'no newline at the end' 'printf "%s" "$($SUM abc)" | $SUM -c'
like 'a digit too few' '$SUM abc | sed s/^.// | $SUM -c'
like 'a byte too few' '$SUM abc | sed s/^..// | $SUM -c'
like 'a byte too many' '$SUM abc | sed s/^/00/ | $SUM -c'
like 'a byte too many, tagged' '$SUM --tag abc | sed s/\$/00/ | $SUM -c'
like 'a digit too many' '$SUM abc | sed s/^/0/ | $SUM -c'
like 'no hex' '$SUM abc | sed s/^./g/ | $SUM -c'
like 'a tag without a digest' '$SUM --tag abc | sed "s/= .*/= /" | $SUM -c'
like 'a tag without =' '$SUM --tag abc | sed "s/=//" | $SUM -c'
like 'a tag without )' '$SUM --tag abc | sed "s/)//" | $SUM -c'
like 'parentheses in a name' 'cp abc "a) = (b"; $SUM --tag "a) = (b" | $SUM -c'
like 'a wrong escape' '$SUM "back\\slash" | sed "s/.slash/xslash/" | $SUM -c'
like 'an escape at the end' '$SUM "back\\slash" | sed "s/slash//; s/.\$//" | $SUM -c'

# Beyond sha256sum: known answers, algorithms and their parameters.
sha3=3a985da74fe225b2045c172d6bd390bd855f086e3e9d525b46bfe24511431532
keccak=c5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470
sample1=c1c36925b6409a04f1b504fcbca9d82b4017277cb5ed2b2065fc1d3814d5aaf5
check 'SHA3-256' "$sha3  abc" 'keccaksum -a sha3-256 abc'
check 'a long option' "$sha3  abc" 'keccaksum --algorithm=SHA3-256 abc'
check 'KECCAK-256' "$keccak  -" 'keccaksum -a keccak-256 </dev/null'
check 'SHAKE128, at twice its strength' \
    '5881092dd818bf5cf8a3ddb793fbcba74097d5c526a6d35f97b83351940f2cc8  abc' \
    'keccaksum -a shake128 abc'
check 'SHAKE256, 40 bits' 'SHAKE-256 (abc) = 4833666013' 'keccaksum -a shake256 -l 40 --tag abc'
check 'any length' "$(openssl dgst -r -shake128 -xoflen 5000 abc | cut -c 1-10000)" \
    'keccaksum -a shake128 -l 40000 abc | cut -c 1-10000'
printf '\000\001\002\003' >sample
check 'cSHAKE128, sample 1 of SP 800-185' "$sample1  sample" \
    'keccaksum -a cshake128 --custom "Email Signature" sample'
check 'the same by hex' "$sample1  sample" \
    'keccaksum -a cshake128 --custom hex:456d61696C205369676e6174757265 sample'
tagged="CSHAKE-128,function=f,custom=hex:456d61696c205369676e6174757265"
check 'parameters are in the tag' "$tagged (sample) = \
$(keccaksum -a cshake128 --function f --custom 'Email Signature' sample | cut -c 1-64)" \
    'keccaksum -a cshake128 --function f --custom "Email Signature" --tag sample'
check 'and so no option is needed to check' 'sample: OK' \
    'keccaksum -a cshake128 --function f --custom "Email Signature" --tag sample |
        keccaksum -a sha3-256 -c'
check 'other parameters fail' 'sample: FAILED
keccaksum: WARNING: 1 computed checksum did NOT match [1]' \
    'keccaksum -a cshake128 --function f --custom x --tag sample | sed "s/=x/=y/" |
        keccaksum -a sha3-256 -c'
for custom in '' plain 'a b' 'a,b' 'a(b)' 'hex:00ff' 'hex:' 'back\slash' '=' 'a:b' 'ä'; do
    check "custom '$custom' makes the round" 'sample: OK' \
        "keccaksum -a cshake256 -l 520 --custom '$custom' --tag sample | keccaksum -a sha3-256 -c"
done
check 'all digests in one list' 'abc: OK
abc: OK
empty: OK' '(keccaksum -a keccak-512 --tag abc; keccaksum -a turboshake256 -l 128 --tag abc
    keccaksum -a sha3-224 --tag empty) | keccaksum -a sha3-256 -c'
none='standard input: no properly formatted checksum lines found'
short='(keccaksum -l 120 abc; keccaksum -l 120 --tag abc)'
check 'a list does not choose a short length' \
    "keccaksum: $none [1]" "$short | keccaksum -c"
check 'an option does' 'abc: OK
abc: OK' "$short | keccaksum -c -l 120"
check 'a line without a tag has the length asked for' 'abc: OK
keccaksum: WARNING: 1 line is improperly formatted' \
    '(keccaksum -l 128 abc; keccaksum -l 128 --tag abc) | keccaksum -c'
check 'what openssl dgst prints can be checked' 'abc: OK' \
    'openssl dgst -sha3-512 abc | keccaksum -a sha3-256 -c'
check 'TurboSHAKE has a domain' 'TURBOSHAKE-128,domain=0x0b (empty) = '"$(
    keccaksum -a turboshake128 --domain 11 -l 64 empty | cut -c 1-16)" \
    'keccaksum -a turboshake128 --domain 0x0b -l 64 --tag empty'

# RFC 9861; SP 800-185's samples.
check 'KT128 is the default' \
    '1ac2d450fc3b4205d19da7bfca1b37513c0803577ac7167f06fe2ce1f0ef39e5  empty' 'keccaksum empty'
check 'and has a customization' 'KT-128,custom=hex:00 (empty) = '"$(
    keccaksum --custom hex:00 -l 8 empty | cut -c 1-2)" 'keccaksum --custom hex:00 -l 8 --tag empty'
printf '\020\021\022\023\024\025' >sample
check 'TupleHash128, sample 1' \
    'c5d8786c1afb9b82111ab34b65b2c0048fa64e6d48e263264ce1707d3ffc8ed1  sample' \
    'keccaksum -a tuplehash128 --element hex:000102 sample'
check 'TupleHash128, sample 2' \
    '75cdb20ff4db1154e841d758e24160c54bae86eb8c13e7f5f40eb35588e96dfb  sample' \
    'keccaksum -a tuplehash128 --element hex:000102 --custom "My Tuple App" sample'
check 'a file in a tuple may be empty' '8c2cc09809146b410ea87326268bfba2  empty' \
    'keccaksum -a tuplehash128 -l 128 --element a empty'
check 'an element may be empty' '881e52efbca118689e53eb5d260a5a86  -' \
    'printf a | keccaksum -a tuplehash128 -l 128 --element ""'
check 'elements are in the tag' 'sample: OK' 'keccaksum -a tuplehash256 --element b --element "" \
    --element a --tag sample | keccaksum -c'
head -c 2500000 /dev/zero >large
check 'a large file is one element' "$(
    # left_encode(20000000) large right_encode(256)
    { printf '\004\001\061\055\000'; cat large; printf '\001\000\002'; } |
        keccaksum -a cshake128 --function TupleHash)" 'keccaksum -a tuplehash128 - <large'
{
    printf '\000\001\002\003\004\005\006\007'
    printf '\020\021\022\023\024\025\026\027'
    printf '\040\041\042\043\044\045\046\047'
} >sample
check 'ParallelHash128, sample 1' "PARALLELHASH-128,leaf-size=8 (sample) = \
ba8dc1d1d979331d3f813603c67f72609ab5e44b94a0b8f9af46514454a2b4f5" \
    'keccaksum -a parallelhash128 --leaf-size 8 --tag sample'

bad() {
    check "$1" "keccaksum: $2 [1]" "keccaksum $3"
}
bad 'unknown algorithm' 'md5: keccakprov has no such digest' '-a md5 abc'
bad 'a parameter of another algorithm' 'sha3-256,custom=x: the algorithm has no such parameter' \
    '-a sha3-256 --custom x abc'
bad 'a length of another algorithm' 'sha3-256: no output of 128 bits' '-a sha3-256 -l 128 abc'
bad 'a length that is no bytes' 'shake128: no output of 12 bits' '-a shake128 -l 12 abc'
bad 'a domain that is none' 'turboshake128,domain=x: a parameter has no such value' \
    '-a turboshake128 --domain x abc'
bad 'a domain out of range' \
    'turboshake128,domain=0x80: domain-separator is a number from 0x01 to 0x7f' \
    '-a turboshake128 --domain 0x80 abc'
for domain in 11x 0x1fg -1 '""' 0x 99999999999999999999 hex:1f hex:11; do
    bad "the domain $domain" "turboshake128,domain=$(eval echo $domain): a parameter has no such value" \
        "-a turboshake128 --domain $domain abc"
done
bad 'a parameter twice' 'kt128,custom=a,custom=hex:62: a parameter is given twice' \
    '-a kt128 --custom a --custom hex:62 abc'
bad 'half a byte' 'cshake128,custom=hex:abc: a parameter has no such value' \
    '-a cshake128 --custom hex:abc abc'
check 'a NUL in the line' "keccaksum: $none [1]" \
    "echo '$sha3  abc@' | tr @ '\0' | keccaksum -a sha3-256 -c"
check 'no name' "keccaksum: $none [1]" "echo '$sha3  ' | keccaksum -a sha3-256 -c"
check 'a line that ends before its name' "keccaksum: $none [1]" \
    'echo "0011223344556677889900 " | keccaksum -c'
check 'an empty parameter' "keccaksum: $none [1]" "echo 'SHA3-256, (abc) = $sha3' | keccaksum -c"
check 'a parameter twice in a tag' "keccaksum: $none [1]" \
    "keccaksum --custom a --tag abc | sed 's/,custom=a/&&/' | keccaksum -c"
# shellcheck disable=SC3045 # of sh's we know; not under AddressSanitizer
{ (ulimit -v 1000000 && keccaksum --version); } >/dev/null 2>&1 &&
    check 'a tag of 30 MB' "keccaksum: $none [1]" \
        "{ printf KT-128,; head -c 30M /dev/zero | tr '\\0' A; echo '(abc) = $sha3'; } |
            (ulimit -v 1000000; keccaksum -c)"
check 'a tag without a name' "keccaksum: $none [1]" \
    "echo 'SHA3-256 () = $sha3' | keccaksum -a sha3-256 -c"
bad 'the list is a folder' 'folder: Is a directory' '-a sha3-256 -c folder'
hint="
Try 'keccaksum --help' for more information."
bad 'no length' "invalid length: 0$hint" '-a shake128 -l 0 abc'
bad 'a length below zero' "invalid length: -8$hint" '-a shake128 -l -8 abc'
bad 'no jobs' "invalid number of jobs: 0$hint" '-j 0 abc'
bad '--warn without --check' \
    "--ignore-missing, --quiet, --strict and --warn are for --check alone$hint" '-w abc'
bad '--tag with --check' \
    "--tag, --zero, --binary and --text mean nothing with --check$hint" '--tag -c abc'
bad 'tag and text' "--tag does not support --text mode$hint" '--tag -t abc'
for more in abc -j2 --tag --; do
    bad "--status with $more" "--status without --check stands alone$hint" "--status $more"
done
bad 'nowhere to write the status to' 'write error: No space left on device' '--status >/dev/full'
check 'help' 'Usage: keccaksum [OPTION]... [FILE]...' 'keccaksum --help | head -1'
check 'version' 'keccaksum (keccakprov)' 'keccaksum --version | cut -d " " -f 1,2'

. "$SOURCE_DIR/test/keccaksum_files.sh"

[ "$failed" -eq 0 ]
