# Pictures of `throng render` and the page have one palette: the same colours of groups, of quantities and of densities.
set -eu
c_colours() { sed -n "/^static const colour $1\[\]/,/};/p" "$SOURCE/cli/colours.c" | grep -o '0x[0-9A-F]*' | sed 's/0x/#/'; }
page_colours() { grep "const $1 = \[" "$SOURCE/viewer/src/colours.ts" | grep -o '#[0-9A-F]*'; }
for list in groups viridis cividis; do
    c_colours $list >c
    page_colours $list >page
    [ -s c ] || { echo "no colours of $list in cli/colours.c"; exit 1; }
    diff c page || { echo "$list: cli/colours.c and viewer/src/colours.ts differ"; exit 1; }
done
# One by one, as far as pictures have them.
for name in outside floor wall text exit goal zone measure closed object; do
    c=$(grep "const colour colour_$name " "$SOURCE/cli/colours.c" | grep -o '0x[0-9A-F]*' | sed 's/0x/#/')
    page=$(sed -n '/light: {/,/}/p' "$SOURCE/viewer/src/colours.ts" | grep -o "\b$name: \"#[0-9A-F]*" | sed 's/.*"//')
    [ "$c" = "$page" ] || { echo "$name: $c in pictures, $page on the page"; exit 1; }
done
