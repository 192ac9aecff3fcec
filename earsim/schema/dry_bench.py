"""What lies on a dry bench, as a scene gives it: a problem, files, and tests."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field, StringConstraints

from earsim import ids
from earsim.schema.model import FileModel, Json

FileName = Annotated[
    str, StringConstraints(pattern=r"^[A-Za-z_][A-Za-z0-9_]{0,59}\.(py|csv|txt|json)$")
]
_Code = Annotated[str, StringConstraints(pattern=ids.TEXT_PATTERN, max_length=32_768)]
_Function = Annotated[str, StringConstraints(pattern=r"^[A-Za-z][A-Za-z0-9_]{0,63}$")]


class UnitTest(FileModel):
    """A call of the function.

    Attributes:
        args: What it is called with.
        equals: What it is to return; numbers within 2 %.
    """

    args: tuple[Json, ...] = ()
    equals: Json


class ProgramTest(FileModel):
    """A run of ``main.py`` as a program.

    Attributes:
        files: Texts by name, beside those of the desk or instead of them; code among them is
            executed first.
        prints: What the program is to print; numbers within 2 %.
    """

    files: dict[FileName, _Code] = Field(default_factory=dict, max_length=10)
    prints: _Code


class DryDesk(FileModel):
    """A problem whose solution is a function, or a program.

    Attributes:
        problem: What is to be done, in words.
        function: Which function of ``main.py`` is tested; None where the program is.
        files: Texts by name; ``main.py`` holds what is to be filled in.
        tests: Calls of the function whose answers agents are not told.
        programs: Runs of the program instead, likewise.
    """

    problem: _Code
    function: _Function | None = None
    files: dict[FileName, _Code] = Field(min_length=1, max_length=10)
    tests: tuple[UnitTest, ...] = Field(default=(), max_length=20)
    programs: tuple[ProgramTest, ...] = Field(default=(), max_length=20)
