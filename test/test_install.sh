# Installs Throng and builds the examples against the installed copy, as a stranger's project would:
# through CMake and through pkg-config, with the static library and with a shared one. The shared
# one is a debug build of the core alone, so equal digests also say that optimising changes no bit, and
# that the core needs nothing but the C library and threads.

# examples PREFIX: builds all examples against the copy in PREFIX, runs them and leaves what they
# say in the file `said`.
examples() {
    prefix=$1
    PKG_CONFIG_PATH=$(dirname "$(find "$prefix" -name throng.pc)")
    LD_LIBRARY_PATH=$(dirname "$PKG_CONFIG_PATH")
    export PKG_CONFIG_PATH LD_LIBRARY_PATH

    rm -rf by_cmake by_pkgconfig && mkdir by_pkgconfig
    cmake -S "$SOURCE/examples" -B by_cmake -G Ninja -D CMAKE_PREFIX_PATH="$prefix" -D CMAKE_C_COMPILER="$CC" >log 2>&1 &&
        cmake --build by_cmake >>log 2>&1 || { cat log; exit 1; }
    for source in "$SOURCE"/examples/0*.c; do
        # eval, because pkg-config quotes paths with blanks in them
        eval "set -- $(pkg-config --cflags --libs throng)"
        "$CC" -std=c17 -Wall -Wextra -Wpedantic -Werror "$source" -o "by_pkgconfig/$(basename "$source" .c)" "$@" -lm
    done

    for source in "$SOURCE"/examples/0*.c; do
        name=$(basename "$source" .c)
        "by_cmake/$name" >"$name.txt" 2>&1 || [ "$name" = 02_door ] # the core has no .sqlite
        { "by_pkgconfig/$name" 2>&1 || [ "$name" = 02_door ]; } | diff - "$name.txt" || { echo "$name: CMake and pkg-config builds differ"; exit 1; }
    done
    cat 0*.txt >said
    unset PKG_CONFIG_PATH LD_LIBRARY_PATH
}

# expect PATTERN: one line of what the examples said is like this.
expect() { grep -qE "$1" said || { printf 'no example said: %s\n' "$1"; cat said; exit 1; }; }

DESTDIR=$PWD/static cmake --install "$BUILD" --prefix /opt/throng >/dev/null
examples "$PWD/static/opt/throng"
[ ! -x by_cmake/window ] || SDL_VIDEODRIVER=dummy by_cmake/window 1 last.bmp | grep -q '^5001 people' || { echo "no window"; exit 1; }
expect '^both arrived after [0-9.]+ s$'
expect '^30 people were out after [0-9.]+ s: door.sqlite$'
expect '^demo/corner: ([0-9]+) of \1 people arrived'
expect '^20 people walked by two models, the last for [0-9.]+ s'
test -s door.sqlite
mv said said_static
"$PWD/static/opt/throng/bin/throng" run demo/corner --model brake --plugin by_cmake/brake.so -q
"$PWD/static/opt/throng/bin/throng" --version | grep -qx 'throng [0-9]*\.[0-9]*\.[0-9]*'
for file in include/throng/model.h share/throng/scenarios/demo/bottleneck.json share/doc/throng/LICENSE share/man/man1/throng.1 \
    share/bash-completion/completions/throng share/applications/throng.desktop; do
    test -f "static/opt/throng/$file" || { echo "$file was not installed"; exit 1; }
done

grep -q '^\.SH SWEEP' static/opt/throng/share/man/man1/throng.1 || { echo "the manual page lacks a verb"; exit 1; }
completed=$(PATH=$PWD/static/opt/throng/bin:$PATH bash -c '. static/opt/throng/share/bash-completion/completions/throng
    compopt() { :; }
    COMP_WORDS=(throng run demo/bott) COMP_CWORD=2 && _throng && echo "${COMPREPLY[@]}"
    COMP_WORDS=(throng run --checkpoint-) COMP_CWORD=2 && _throng && echo "${COMPREPLY[@]}"
    COMP_WORDS=(throng ver) COMP_CWORD=1 && _throng && echo "${COMPREPLY[@]}"' | tr '\n' ' ')
[ "$completed" = "demo/bottleneck --checkpoint-every verify " ] || { echo "completed: $completed"; exit 1; }

cmake -S "$SOURCE" -B shared -G Ninja -D BUILD_SHARED_LIBS=ON -D THRONG_CORE_ONLY=ON -D CMAKE_BUILD_TYPE=Debug -D CMAKE_C_COMPILER="$CC" \
    -D THRONG_TESTS=OFF -D THRONG_BENCH=OFF -D THRONG_PROGRAM=OFF >log 2>&1 &&
    cmake --build shared >>log 2>&1 && cmake --install shared --prefix "$PWD/opt" >>log 2>&1 || { cat log; exit 1; }
examples "$PWD/opt"
expect "^'door.sqlite': this build of throng has no .sqlite"
grep -v door.sqlite said_static >said_both
grep -v door.sqlite said | diff said_both - || { echo "static release and shared debug build differ"; exit 1; }
ldd "$(find opt -name libthrong.so)" | awk '{ print $1 }' | grep -vE '^(linux-vdso|libm|libc|/lib)' && { echo "the core needs more than the C library"; exit 1; }
ldd by_cmake/01_walk | grep -q libthrong.so || { echo "not linked with the shared library"; exit 1; }

# Only what the headers promise leaves the shared library.
strangers=$(nm -D --defined-only "$(find opt -name libthrong.so)" | awk '$3 !~ /^throng_/ { print $3 }')
test -z "$strangers" || { echo "the shared library also exports: $strangers"; exit 1; }

# What the core lacks it says, and states are kept without zstd.
cat >core.c <<'C'
#include <stdio.h>
#include <throng/throng.h>

static throng_world *corner(void) {
    throng_scenario_def def = throng_default_scenario_def();
    throng_run_def run = throng_default_run_def();
    throng_report *report = throng_report_create();
    def.path = "demo/corner";
    return throng_scenario_create_world(throng_scenario_create(&def, report), &run, report);
}

int main(void) {
    throng_world *world = corner(), *again = corner();
    throng_error error = {0};
    for (int i = 0; i < 40; i++) throng_world_step(world);
    throng_checkpoint *saved = throng_world_save(world, NULL), *read;
    if (!throng_checkpoint_write(saved, "state", &error) || !(read = throng_checkpoint_read("state", &error)) ||
        !throng_world_load(again, read, &error))
        return puts(error.text), 1;
    for (int i = 0; i < 40; i++) throng_world_step(world), throng_world_step(again);
    puts(throng_world_digest(world) == throng_world_digest(again) ? "same" : "different");
}
C
"$CC" -std=c17 -Iopt/include core.c -o core_of -Lopt/lib -L"$(dirname "$(find opt -name libthrong.so)")" -lthrong
LD_LIBRARY_PATH=$(dirname "$(find "$PWD/opt" -name libthrong.so)") ./core_of >said
expect '^same$'
