"""What lies on a dry bench, as a scene gives it: a problem, files, and tests."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field, StringConstraints

from earsim.schema.model import FileModel, Json, Text

FileName = Annotated[
    str, StringConstraints(pattern=r"^[A-Za-z_][A-Za-z0-9_]{0,59}\.(py|csv|txt|json)$")
]
_Code = Annotated[str, Field(max_length=32_768)]
_Function = Annotated[str, StringConstraints(pattern=r"^[A-Za-z][A-Za-z0-9_]{0,63}$")]


class UnitTest(FileModel):
    """A call of the function.

    Attributes:
        args: What it is called with.
        equals: What it is to return; numbers within 2 %.
    """

    args: tuple[Json, ...] = ()
    equals: Json


class DryDesk(FileModel):
    """A problem whose solution is a function.

    Attributes:
        problem: What is to be done, in words.
        function: Which function of ``main.py`` is tested.
        files: Texts by name; ``main.py`` holds the function to fill in.
        tests: Calls whose answers agents are not told.
    """

    problem: Text
    function: _Function
    files: dict[FileName, _Code] = Field(min_length=1, max_length=10)
    tests: tuple[UnitTest, ...] = Field(min_length=1, max_length=20)
