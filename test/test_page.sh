# The built page (viewer/dist) is what npm makes of its sources, takes little to load, and asks nobody else for anything.
set -eu
viewer=$SOURCE/viewer
page=$viewer/dist/index.html

size=$(gzip -9 -c "$page" | wc -c)
[ "$size" -lt 150000 ] || { echo "the page is $size bytes gzipped; at most 150000 are meant"; exit 1; }
# Names of XML namespaces look like addresses, but nobody fetches them.
if sed 's|http://www.w3.org/[a-zA-Z0-9/]*||g' "$page" | grep -o 'https\?://[a-z][^ "'"'"'`)]*'; then
    echo "the page names another host"
    exit 1
fi
if grep -q '"resolved"' "$viewer/package-lock.json"; then
    echo "viewer/package-lock.json names a registry: npm install --omit-lockfile-registry-resolved"
    exit 1
fi

command -v npm >/dev/null || { echo "Skipped: npm is missing, so the page cannot be built anew."; exit 0; }
cp -R "$viewer/src" "$viewer/package.json" "$viewer/package-lock.json" "$viewer/build.mjs" "$viewer/tsconfig.json" .
if [ -d "$viewer/node_modules/esbuild" ]; then
    ln -s "$viewer/node_modules" node_modules
elif ! npm ci --no-audit --no-fund --loglevel=error >npm.log 2>&1; then
    echo "Skipped: npm could not fetch what the page is built with."
    exit 0
fi
npm run --silent types
npm run --silent build -- "$PWD/index.html" >/dev/null
cmp "$page" index.html || { echo "viewer/dist/index.html is not what the sources make: cd viewer && npm ci && npm run build"; exit 1; }
