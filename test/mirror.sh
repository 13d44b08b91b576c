# shellcheck shell=sh
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The keccakprov authors
#
# For scripts that fetch another Debian.
# shellcheck disable=SC2034 # who sources this uses it
keyring=/usr/share/keyrings/debian-archive-keyring.gpg

[ -r "$keyring" ] || echo "not installed (conf/setup --tests): debian-archive-keyring" >&2

# The mirror that this system uses, if it is a Debian.
mirror() {
    # shellcheck disable=SC2016 # apt's variable
    apt-get indextargets 'Created-By: Packages' --format '$(REPO_URI)' | grep -m 1 '/debian/$' ||
        echo http://deb.debian.org/debian/
}

# Lists are good for a day.
of_today() {
    [ -n "$(find "$1" -mmin -1440 2>/dev/null)" ]
}
