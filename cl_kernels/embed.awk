# Turns the programs that kernels.def lists into C: an array of lines each, what they include put in its place once.
# awk -v folder=cl_kernels -f embed.awk kernels.def

function quoted(line) {
    gsub(/\\/, "&&", line)
    gsub(/"/, "\\\"", line)
    return "    \"" line "\\n\","
}

function emit(name,    line, path) {
    if (name in seen)
        return
    seen[name] = 1
    path = folder "/" name
    while ((getline line < path) > 0) {
        if (line ~ /^#include "vxk_[a-z_]*\.h"$/) {
            split(line, part, "\"")
            emit(part[2])
        } else {
            print quoted(line)
            lines++
        }
    }
    close(path)
}

BEGIN {
    print "/* Made by embed.awk from cl_kernels/. */"
    print "#include \"compute/kernels.h\"\n"
}

/^VXBI_PROGRAM_DEF\(/ {
    name = $0
    sub(/^VXBI_PROGRAM_DEF\(/, "", name)
    sub(/\).*/, "", name)
    split("", seen)
    lines = 0
    print "const char *const vxbi_program_" name "[] = {"
    emit(name ".cl")
    print "    0\n};"
    if (lines == 0) {
        print "embed.awk: there is nothing in " folder "/" name ".cl" | "cat 1>&2"
        failed = 1
        exit 1
    }
}

END {
    if (failed)
        exit 1
}
