# Plans and scenarios of others: each runs and everybody arrives; conversions; what is refused.
. "$SOURCE/test/cli/prelude.sh"
plans="$SOURCE/test/plans"

# arrives SCENARIO: whether everybody who started or came has arrived.
arrives() {
    "$THRONG" run "$1" --quiet --stats figures.json 2>stderr || { cat stderr; return; }
    sed -E 's/.*"initial":([0-9]+),"spawned":([0-9]+),"arrived":([0-9]+).*/\1 \2 \3/' figures.json |
        awk -v name="$(basename "$1")" '{ print name ": " ($1 + $2 == $3 ? "all " $3 " arrived" : $0) }'
}
for name in hall-wkt hall-geojson hall-dxf museum; do arrives "$plans/$name.json"; done

# From here on beside the files, so that messages do not name the directory of the sources.
cp -r "$plans"/* .
mkdir lobby && cp "$plans/lobby.json" lobby/config.json
try convert plan corridor.scenario corridor.json
try convert plan lobby.json lobby-out.json
try convert plan lobby.zip lobby-zip.json --quiet
try convert plan lobby lobby-directory.json --quiet
try convert plan room.floor room.json
try convert plan hall.geojson hall-out.json
try convert plan museum.png museum-out.json --metres-per-pixel 0.1
try convert plan hall.dxf hall-out.geojson --quiet
try convert plan hall-out.geojson hall-out.wkt
for name in corridor lobby-out lobby-zip lobby-directory hall-out; do arrives $name.json; done
"$THRONG" check room.json museum-out.json 2>&1 | grep -E "good|error"

refused "no size of a pixel" "metres_per_pixel" convert plan museum.png x.json
touch run.sqlite
refused "no plan" "expected a .scenario" convert plan run.sqlite x.json
refused "ending of the output" "expected a .json" convert plan hall.wkt x.doc
refused "missing" "cannot open" convert plan nothing.dxf x.json
refused "our own" "already" convert plan corridor.json x.json
refused "three operands" "three operands" convert a b c
echo '{"scenario": {}}' >empty.scenario
refused "empty scenario" "topography" convert plan empty.scenario x.json
head -c 300 lobby.zip >cut.zip
refused "cut archive" "its end is missing" convert plan cut.zip x.json
ls x.* 2>/dev/null || echo "nothing was left behind"
