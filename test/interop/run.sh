# Compares `throng measure` with PedPy, installed in an environment of its own: run.sh THRONG FOLDER few|all
# few: the beginnings of three recordings of real people, or one made up; all: 41 of them, and published figures of theirs.
# Skipped with one line where PedPy cannot be installed, and the part on real people where there are none.
throng=$1 folder=$2 what=$3
here=$(dirname "$0")
python=$folder/bin/python3
if ! "$python" -c 'import pedpy' 2>/dev/null; then
    rm -rf "$folder"
    { python3 -m venv "$folder" &&
        timeout 300 "$folder/bin/pip" install --quiet --no-compile --disable-pip-version-check --retries 1 --timeout 10 'pedpy>=1.5,<1.6'; } >/dev/null 2>&1 ||
        { rm -rf "$folder"; echo "skipped: PedPy cannot be installed here (pip install pedpy)"; exit 0; }
fi
export PYTHONWARNINGS=ignore
if [ ! -d "${THRONG_DATA:-}" ]; then
    echo "skipped: no recordings of real people in THRONG_DATA (doi:10.34735/ped.2009.6, doi:10.34735/ped.2018.1)"
    exec "$python" "$here/pedpy_compare.py" "$throng" own
fi
[ "$what" = few ] && exec "$python" "$here/pedpy_compare.py" "$throng" few "$THRONG_DATA"
"$python" "$here/figures.py" "$throng" "$THRONG_DATA" && "$python" "$here/pedpy_compare.py" "$throng" own &&
    "$python" "$here/pedpy_compare.py" "$throng" data "$THRONG_DATA"
