import json
import re

import pytest

from earsim.errors import UnknownName
from earsim.schema.files.json_schema import KINDS, export


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_has_a_schema_with_portable_patterns(kind: str) -> None:
    schema = export(kind)
    json.dumps(schema)
    patterns = re.findall(r'"pattern": ("(?:[^"\\]|\\.)*")', json.dumps(schema, ensure_ascii=False))
    assert all(re.compile(json.loads(pattern)) for pattern in patterns)


def test_files_must_name_their_schema_and_may_hold_quantities() -> None:
    scene = export("scene")
    assert scene["required"][0] == "schema"
    thing = scene["$defs"]["SceneObject"]
    assert "in" in thing["properties"]
    assert "quantities" not in thing["properties"]
    (pattern,) = thing["patternProperties"]
    assert re.search(pattern, "temperature_c")
    assert not re.search(pattern, "temperature_x")
    assert not re.search(pattern, "size_m"), "three numbers, declared as such"
    assert thing["additionalProperties"] is False


def test_an_unknown_kind_is_named() -> None:
    with pytest.raises(UnknownName, match="did you mean 'scene'"):
        export("scen")
