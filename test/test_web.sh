# The WebAssembly module gives the digests of the program: eleven short scenes, or with ALL=1 every scene that needs no things.
# `make web` builds the module.

module=$SOURCE/build/web/throng.wasm
command -v node >/dev/null || { echo "Skipped: there is no node."; exit 0; }
[ -f "$module" ] || { echo "Skipped: there is no build/web/throng.wasm; make web builds it."; exit 0; }
if [ "$("$THRONG" scenarios | cksum)" != "$(cat "$SOURCE/build/web/scenarios" 2>/dev/null)" ] && [ -z "${ALL-}" ]; then
    echo "Skipped: build/web is of other scenes; make web builds it anew."; exit 0
fi

names="demo/bottleneck demo/two-exits demo/evacuation vadere/thin-wall rimea/16-single-file-periodic
    rimea/04-fundamental-diagram-periodic cpd/corridor-fd cpd/mixed-ages uic/building-2k pbd/target implicit/evacuation"
[ -z "${ALL-}" ] || names=$(cd "$SOURCE/scenarios" && find . -mindepth 2 -name '*.json' | sed 's|^\./||; s|\.json$||' | sort)
compared=0 others=0
for name in $names; do
    case $name in *000 | *0k | *million | uic/* | implicit/*) seconds=0.1 ;; *) seconds=0.5 ;; esac
    web=$(node --no-warnings "$SOURCE/viewer/wasm/digests.mjs" "$module" "$name" $seconds) || exit 1
    case $web in *refused:*"no built-in scene"*) continue ;; esac # the module has no scenes with things
    own=$("$THRONG" run "$name" --duration $seconds --threads 1 --quiet --stats - 2>/dev/null | sed 's/.*"digest": *"\([0-9a-f]*\)".*/\1/')
    [ "$web" = "$name $own" ] || { echo "$web in the module, $own in the program"; others=$((others + 1)); continue; }
    compared=$((compared + 1))
done
echo "$compared scenes have the same digest."
[ $compared -ge 11 ] && [ $others = 0 ]
