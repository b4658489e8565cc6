# Who may include whom (docs/internals.md, "Rooms"), and what must not stand in the sources.

cd "$SOURCE"
ground="world/memory.h world/report.h"
allowed() { # the headers and rooms that a room may include
    case $1 in
    world) echo "space/ route/ models/models.h" ;;
    space) echo "$ground" ;;
    route) echo "space/ $ground" ;;
    models) echo "space/ $ground" ;;
    scenario) echo "space/ models/models.h world/start.h $ground" ;;
    record) echo "space/ $ground" ;;
    *) echo "unknown room" ;;
    esac
}

complain() { echo "$1"; failed=yes; }
failed=

# includes FILE: what it includes in quotes, one per line
includes() { sed -n 's/^ *# *include *"\([^"]*\)".*/\1/p' "$1"; }

for file in $(find src -name '*.[ch]'); do
    room=$(echo "$file" | cut -d/ -f2)
    for header in $(includes "$file"); do
        fits=
        for prefix in "$room/" $(allowed "$room"); do
            case $header in "$prefix"*) fits=yes ;; esac
        done
        [ -n "$fits" ] || complain "$file includes $header, which $room must not see"
        [ -f "src/$header" ] || complain "$file includes $header, which is not a path from src/"
    done
done

for file in $(find cli examples include -name '*.[ch]'); do
    for header in $(includes "$file"); do
        [ -f "$(dirname "$file")/$header" ] || complain "$file includes $header, which is not beside it"
    done
done
for file in $(find src include examples -name '*.[ch]'); do
    case $file in
    src/space/*) others='sqlite3|cairo' ;;
    src/record/*) others='geos|cairo' ;;
    *) others='geos|sqlite3|cairo' ;;
    esac
    if grep -nE "^ *# *include *<($others)" "$file"; then complain "$file knows a library that is another room's"; fi
done

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
[ -z "$failed" ]
