"""`import earsim` does no work that only some programs need."""

import subprocess
import sys

import pytest

PROGRAM = """
import sys
import earsim
from earsim.schema.model import FileModel

def below(model):
    return [each for kind in model.__subclasses__() for each in (kind, *below(kind))]

built = [model.__name__ for model in below(FileModel) if model.__pydantic_complete__]
needless = ["earsim.suites.ear_suite", "earsim.planner", "earsim.viewer", "PIL", "networkx"]
print(built, [name for name in needless if name in sys.modules])
"""


@pytest.mark.slow
def test_it_builds_no_validators_and_imports_nothing_needless():
    done = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, text=True)
    assert done.stdout == "[] []\n", done.stderr
