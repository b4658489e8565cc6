# An .h5 recording opened by h5py, a reader that is not ours: after a clean end, and after the writer was killed. Skipped
# where there is no h5py (Debian: python3-h5py).
python=
for candidate in /usr/bin/python3 python3; do
    if "$candidate" -c 'import h5py' 2>/dev/null; then python=$candidate; fi
done
[ -n "$python" ] || { echo "skipped: no h5py here"; exit 0; }
. "$SOURCE/test/cli/prelude.sh"
cat >look.py <<'PY'
import sys, h5py
with h5py.File(sys.argv[1], "r") as file:
    assert isinstance(file.attrs["wkt_geometry"], str) and file.attrs["wkt_geometry"].startswith("POLYGON ((")
    table = file["trajectory"]
    rows = table[:]
    assert table.attrs["fps"] == 10.0 and rows.dtype.names == ("id", "frame", "x", "y", "z")
    frames = rows["frame"].max() + 1
    assert len(rows) == frames * int(sys.argv[2]), (len(rows), frames)
    assert sorted(set(rows["frame"])) == list(range(frames)) and (rows["x"] > 0).all()
    people = file["x_agents"][:]
    assert len(people) == int(sys.argv[2]) and set(people["model"]) == {b"orca"}
PY
door "$wanderers" >long.json
"$THRONG" run long.json -o clean.h5 --quiet --duration 20
"$python" look.py clean.h5 50 || exit 1
for round in 1 2 3; do
    "$THRONG" run long.json -o killed.h5 --quiet --duration 100000 &
    run=$!
    wait_for killed.h5 $((round * 400000))
    kill -9 $run
    wait $run 2>/dev/null || true
    "$python" look.py killed.h5 50 || exit 1
    rm killed.h5
done
