# An environment of Python with PedPy and further packages, made once: environment.sh FOLDER [PACKAGE...]
# Fails where these cannot be installed.
folder=$1
shift
python=$folder/bin/python3
if ! "$python" -c 'import pedpy' 2>/dev/null; then
    rm -rf "$folder"
    set -- 'pedpy>=1.5,<1.6' "$@"
    python3 -m venv "$folder" >/dev/null 2>&1 || { rm -rf "$folder"; exit 1; }
fi
for package in "$@"; do
    ls "$folder"/lib/python3*/site-packages 2>/dev/null | grep -qi "^$(echo "${package%%[<>=]*}" | tr - _)-" || missing=yes
done
[ -z "${missing:-}" ] && exit 0
timeout 300 "$folder/bin/pip" install --quiet --no-compile --disable-pip-version-check --retries 1 --timeout 10 "$@" >/dev/null 2>&1 ||
    { "$python" -c 'import pedpy' 2>/dev/null || rm -rf "$folder"; exit 1; }
