"""The domain that the documentation builds makes scenes."""

from pathlib import Path
from random import Random

import pytest

from earsim.errors import UsageError
from earsim_generators.catalogue import Domain, parse_domain
from earsim_generators.scenes import SceneParameters, make_scene
from tests.docs_examples import blocks

PAGE = Path(__file__).resolve().parents[3] / "docs" / "domains.md"


@pytest.fixture(scope="module")
def lighthouse() -> Domain:
    (text,) = (
        block.text
        for block in blocks(PAGE.read_text(encoding="utf-8"))
        if block.note == "file: lighthouse.yaml"
    )
    return parse_domain(text, source=str(PAGE))


@pytest.mark.parametrize("seed", range(12))
def test_scenes_are_made_from_it(lighthouse, seed):
    parameters = SceneParameters(
        rooms=4, objects=18, lookalikes=2, distractors=1, doors=1, locked_doors=1, numbers=3
    )
    made = make_scene(lighthouse, parameters, Random(seed), id="light")
    assert len(made.scene.objects) == 18
    assert len(made.lookalikes) == 2


def test_what_it_has_no_words_for_is_said(lighthouse):
    with pytest.raises(UsageError, match="held_out_names"):
        make_scene(lighthouse, SceneParameters(vocabulary="held_out"), Random(0), id="x")
