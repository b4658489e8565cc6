# Finds a browser and what drives it, for the tests in viewer/test; ends the test with one line where there is none.
browser=
for candidate in chromium chromium-browser google-chrome; do
    if command -v $candidate >/dev/null; then browser=$(command -v $candidate); break; fi
done
[ -n "$browser" ] || { echo "Skipped: there is no Chromium here (Debian: chromium)."; exit 0; }
command -v npm >/dev/null || { echo "Skipped: npm is missing, which brings what drives the browser."; exit 0; }
if [ -d "$SOURCE/viewer/node_modules/playwright-core" ]; then
    ln -s "$SOURCE/viewer/node_modules" node_modules
else
    cp "$SOURCE/viewer/package.json" "$SOURCE/viewer/package-lock.json" .
    npm ci --no-audit --no-fund --loglevel=error >npm.log 2>&1 || { echo "Skipped: npm could not fetch what drives the browser."; exit 0; }
fi
cp "$SOURCE"/viewer/test/*.mjs .
