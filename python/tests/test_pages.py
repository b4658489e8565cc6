"""What docs/python.md and the notebooks say runs, where PedPy and JuPedSim are installed."""

import contextlib
import io
import json
import os
import pathlib
import re
import tempfile
import unittest

HERE = pathlib.Path(__file__).resolve().parent


def run(source, name):
    """Runs a text in a directory of its own and gives what it prints."""
    said = io.StringIO()
    before = os.getcwd()
    with tempfile.TemporaryDirectory() as folder, contextlib.redirect_stdout(said):
        os.chdir(folder)
        try:
            exec(compile(source, name, "exec"), {"__name__": "__main__"})
        finally:
            os.chdir(before)
    return said.getvalue()


class Pages(unittest.TestCase):
    def setUp(self):
        os.environ.setdefault("MPLBACKEND", "agg")
        try:
            import jupedsim, pedpy  # noqa: E401, F401
        except ImportError:
            self.skipTest("PedPy or JuPedSim is not installed")

    def test_the_page(self):
        page = (HERE.parent.parent / "docs" / "python.md").read_text()
        run("\n".join(re.findall(r"^```python\n(.*?)^```", page, re.M | re.S)), "python.md")

    def test_the_notebooks(self):
        expected = {
            "bottleneck": r"(?s)(empty after +\d.*){4}",
            "models": r"(?s)egress_last.*orca: \d.*\npowerlaw: \d",
            "own_model": r"16 of 16 arrived",
            "real_people": r"orca: \d",
        }
        for path in sorted((HERE.parent / "examples").glob("*.ipynb")):
            cells = json.loads(path.read_text())["cells"]
            said = run("\n\n".join("".join(c["source"]) for c in cells if c["cell_type"] == "code"), path.name)
            self.assertRegex(said, expected[path.stem])


if __name__ == "__main__":
    unittest.main()
