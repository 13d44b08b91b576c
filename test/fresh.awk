# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The keccakprov authors
#
# The verdict on a transcript, a row for each `= WHAT` of the session; the form of a session stands
# in the head of test/data/fresh.txt.
#
#     awk -v name=NAME -f test/fresh.awk SESSION TRANSCRIPT

NR == FNR { line[++lines] = $0; next }

FNR == 1 { following = next_marker(0) }
$0 == line[following] { finish(); next }
{ output[++outputs] = $0 }

END {
    if (following == 0)
        following = next_marker(0)
    cut_off = following <= lines
    while (following <= lines)
        finish()
    finish()
    row()
    exit failed
}

# The next line of the session that stands in the transcript too.
function next_marker(i)
{
    do
        i++
    while (i <= lines && line[i] !~ /^[@=$] /)
    return i
}

# What follows current has begun.
function finish()
{
    if (line[current] ~ /^\$ /)
        judge()
    current = following
    following = next_marker(current)
    outputs = 0
    if (line[current] ~ /^= /) {
        row()
        what = substr(line[current], 3)
    }
}

# Is there a line of output like this, where only the asterisk is special?
function printed(pattern,    i)
{
    gsub(/[][\\.^$+?(){}|]/, "\\\\&", pattern)
    gsub(/\*/, ".*", pattern)
    for (i = 1; i <= outputs; i++)
        if (output[i] ~ ("^" pattern "$"))
            return 1
    return 0
}

function judge(    i, exit_wanted)
{
    wrong = ""
    for (i = current + 1; i < following; i++) {
        if (line[i] ~ /^exit /)
            exit_wanted = 1
        if (line[i] ~ /^! / ? printed(substr(line[i], 3)) : !printed(line[i]))
            wrong = wrong "\n  wanted: " line[i]
    }
    if (!exit_wanted && output[outputs] ~ /^exit [0-9]+$/)
        wrong = wrong "\n  wanted: success"
    if (cut_off)
        wrong = "\n  was not reached, or not finished"
    if (wrong == "")
        return
    complaint = complaint line[current] "\n"
    for (i = outputs > 12 ? outputs - 11 : 1; i <= outputs; i++)
        complaint = complaint output[i] "\n"
    complaint = complaint substr(wrong, 2) "\n"
}

function row()
{
    if (what != "") {
        printf "%s%-5s %s: %s\n", complaint, complaint == "" ? "ok" : "FAIL", name, what
        failed = failed || complaint != ""
    }
    what = complaint = ""
}
