# The page in a real browser: see viewer/test/page.mjs. Skipped with one line where there is no browser or no npm.
set -eu
. "$SOURCE/test/browser.sh"
node page.mjs "$THRONG" "$browser" "$PWD"
