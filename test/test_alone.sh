# The page that simulates by itself in a real browser: see viewer/test/alone.mjs. Skipped with one line where there is no
# browser, no npm, or no module.
set -eu
site=$SOURCE/build/web/site
[ -f "$site/throng.wasm.gz" ] || { echo "Skipped: there is no build/web/site; make web builds it."; exit 0; }
[ "$("$THRONG" scenarios | cksum)" = "$(cat "$SOURCE/build/web/scenarios")" ] || { echo "Skipped: build/web is of other scenes; make web builds it anew."; exit 0; }
[ "$BUILD" = "$SOURCE/build" ] || { echo "Skipped: the module beside build/throng is not this build's."; exit 0; }
. "$SOURCE/test/browser.sh"
node alone.mjs "$THRONG" "$browser" "$PWD" "$site"
