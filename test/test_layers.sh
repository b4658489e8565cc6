# Who may include whom (docs/internals.md, "Rooms"), and what must not stand in the sources.

cd "$SOURCE"
failed=
complain() { echo "$1"; failed=yes; }

# Every include as "file header", the header with its quotes or brackets.
includes=$(grep -rE '^ *# *include' --include='*.[ch]' src cli include examples |
    sed 's/: *# *include */ /; s/\(["<][^">]*[">]\).*/\1/')

# A room sees itself and the rooms named here, which stand above it in this list: so there is no cycle.
echo "$includes" | awk '
    BEGIN {
        may["base"] = ""
        may["space"] = "base"
        may["text"] = "base"
        may["plan"] = "base space text"
        may["route"] = "base space"
        may["wish"] = "base space route"
        may["models"] = "base space"
        may["bodies"] = "base space"
        may["world"] = "base space route wish models bodies"
        may["scenario"] = "base space text plan models world"
        may["record"] = "base space text"
        may["checkpoint"] = "base world scenario"
        may["measure"] = "base space"
        may["cluster"] = "base"
        library["geos"] = "test/"; library["ode/"] = "src/bodies/engine_ode.c"; library["sqlite3"] = "src/record/ cli/sweep_"; library["cairo"] = "cli/"
        library["zstd"] = "src/record/ src/checkpoint/"; library["png"] = "src/plan/"; library["mpi"] = "src/cluster/cluster_mpi.c"; library["zlib"] = "src/record/ src/text/gunzip.c cli/enclosure.c"
    }
    function sees(room, header,    list, count, i) {
        count = split(room " " may[room], list, " ")
        for (i = 1; i <= count; i++) if (index(header, list[i] "/") == 1) return 1
        return 0
    }
    function fits(header, prefixes,    list, count, i) {
        count = split(prefixes, list, " ")
        for (i = 1; i <= count; i++) if (index(header, list[i]) == 1) return 1
        return 0
    }
    function complain(text) { print $1 " includes " $2 ", " text; bad = 1 }
    {
        split($1, path, "/")
        header = substr($2, 2, length($2) - 2)
        if ($2 ~ /^</) {
            for (name in library)
                if (header ~ "^" name && !fits($1, library[name])) complain("which only " library[name] " knows")
        } else if (path[1] == "src") {
            if (!(path[2] in may)) complain("from a room nobody has heard of")
            else if (path[2] == "models" && header ~ /^models\/[^.]*\// && !fits(header, "models/orca/ models/" path[3] "/"))
                complain("which is another model")
            else if (!sees(path[2], header))
                complain("which " path[2] " must not see")
        } else if (header ~ /\//) complain("which is not beside it")
    }
    END { exit bad }' || failed=yes

# The sources speak of the project alone, and would build anywhere.
if grep -rnE '/(home|root|w[o]rk|tmp/wt)/' --include='*.[ch]' --include='*.md' --include='*.sh' --include='*.cmake' \
    --include='*.json' --include='CMakeLists.txt' --exclude-dir='build*' --exclude-dir='.*' .; then
    complain "a path of somebody's machine"
fi

# The library does not print, does not exit, and has no memory but memory.c's.
if [ -f "$BUILD/libthrong.a" ] && nm -A "$BUILD/libthrong.a" 2>/dev/null | grep -v ':memory\.c\.o:' |
    grep -E ' U (printf|puts|putchar|perror|exit|abort|malloc|calloc|realloc|free|strdup)$'; then
    complain "the library calls what it should not"
fi
# What it computes is the same to the last bit everywhere; these of the C library are not.
if [ -f "$BUILD/libthrong.a" ] && nm -A "$BUILD/libthrong.a" 2>/dev/null |
    grep -E ' U (sin|cos|sincos|tan|asin|acos|atan|atan2|exp|exp2|expm1|log|log2|log10|log1p|pow|hypot|cbrt|tanh)f?$'; then
    complain "the library relies on functions whose bits differ from machine to machine"
fi
[ -z "$failed" ]
