# tools/setup on a machine where nothing is installed, played by a few stand-ins on the PATH: what it
# installs as root and through sudo, and what it says where it can do neither.

mkdir bin
for tool in sh awk dirname mktemp rm tail env grep cat ls; do ln -s "$(command -v $tool)" bin/; done
stand_in() { # stand_in NAME SCRIPT
    printf '#!/bin/sh\n%s\n' "$2" >"bin/$1"
    chmod +x "bin/$1"
}
stand_in cc 'exit 0'
stand_in true 'exit 0'
stand_in id 'cat uid'
setup() { PATH=$PWD/bin sh "$SOURCE/tools/setup" "$@" >said 2>&1 </dev/null; }
expect() { grep -qF -- "$1" "${2:-said}" || { echo "expected: $1"; cat "${2:-said}"; exit 1; }; }
refuse() { if setup "$@"; then echo "setup $* should have failed"; exit 1; fi; }

# No apt: it says what is missing and gives up; a purpose nobody listed is a mistake.
echo 0 >uid
refuse build
expect "Missing, by their names in Debian: cmake ninja-build pkg-config libsqlite3-dev"
refuse nonsense
expect "lists nothing for 'nonsense'"

# What is optional is skipped in one line.
skipped() {
    code=0
    setup --optional fuzz || code=$?
    [ $code = 3 ] && [ "$(wc -l <said)" = 1 ] || { cat said; exit 1; }
}
ln -s "$(command -v wc)" bin/
skipped
expect "Skipped what needs clang libclang-rt-dev: not installed, and there is no apt-get."

# Neither root nor sudo: the one line to run.
echo 1000 >uid
stand_in apt-get 'echo "apt-get $*" >>calls'
refuse build test
expect "apt-get update && apt-get install -y --no-install-recommends cmake ninja-build"
skipped
[ ! -f calls ] || { echo "apt-get was called without root"; exit 1; }

# sudo that needs no password, then root.
stand_in sudo '[ "$1" != -n ] || shift; exec "$@"'
setup build || { cat said; exit 1; }
expect "install -y --no-install-recommends cmake" calls
rm calls bin/sudo
echo 0 >uid
setup test || { cat said; exit 1; }
expect "libcmocka-dev" calls
if grep -q cmake calls; then echo "asked for the tests alone, it installed more"; exit 1; fi

# apt fails: the end of its log and the line to run.
stand_in apt-get 'echo "E: no network"; exit 100'
refuse build
expect "E: no network"
expect "apt-get update && apt-get install"
refuse --optional fuzz
expect "Skipped what needs clang libclang-rt-dev: installing it failed."

# Nothing missing: not a word, and apt is left alone.
stand_in dpkg-query 'printf installed'
setup build test fuzz format
[ ! -s said ] || { cat said; exit 1; }

# No dpkg, but everything is there, however it came.
rm bin/dpkg-query bin/apt-get
for tool in cmake ninja pkg-config c++ python3; do stand_in $tool 'exit 0'; done
stand_in fc-list 'echo font'
setup build test || { cat said; exit 1; }
