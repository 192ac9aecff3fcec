"""Rows that cannot be learned as they are, and what is said about all of them."""

import pytest

from earsim.errors import FileError, UsageError
from earsim_training.sft.data.corpus import read_corpus
from earsim_training.sft.data.masking import IGNORED, Encoded
from earsim_training.sft.data.rows_report import filter_rows, passages
from earsim_training.sft.recipe import DataSettings
from tests.training.exported import export, flat

GOOD = Encoded([1, 2, 3], [IGNORED, 2, 3])
LONG = Encoded([1] * 9, [1] * 9)
EMPTY = Encoded([1, 2], [IGNORED, IGNORED])


def settings(**changes):
    return DataSettings(path="x", context=8, **changes)


def test_good_rows_are_counted():
    rows, report = filter_rows([GOOD, GOOD], settings())
    assert len(rows) == 2
    assert (report.rows, report.tokens, report.supervised, report.longest) == (2, 6, 4, 3)


@pytest.mark.parametrize(
    ("row", "setting", "expected"),
    [(LONG, "too_long", "longer than the context of 8"), (EMPTY, "unsupervised", "no token")],
)
def test_bad_rows_are_an_error_unless_they_may_be_dropped(row, setting, expected):
    with pytest.raises(UsageError, match=expected):
        filter_rows([GOOD, row], settings())
    rows, report = filter_rows([GOOD, row], settings(**{setting: "drop"}))
    assert rows == [GOOD]
    assert getattr(report, setting) == 1
    assert any("dropped" in line for line in report.lines())


def test_when_nothing_is_left_it_is_an_error():
    with pytest.raises(UsageError, match="no row is left"):
        filter_rows([LONG], settings(too_long="drop"))


def test_a_row_is_shown_with_what_is_learned():
    class Letters:
        def decode(self, ids):
            return "".join(chr(96 + id) for id in ids)

    assert passages(GOOD, Letters()) == [("a", False), ("bc", True)]


# -- corpora ---------------------------------------------------------------------------------------


def test_an_export_is_read_in_both_forms(tmp_path):
    export(flat(tmp_path), tmp_path / "out")
    for form, column in (("decisions", "prompt"), ("episodes", "messages")):
        corpus = read_corpus(DataSettings(path=str(tmp_path / "out"), form=form))
        assert column in corpus.train[0]
        assert corpus.hash == corpus.manifest["hash"]


def test_episodes_can_be_limited(tmp_path):
    export(flat(tmp_path), tmp_path / "out")
    corpus = read_corpus(DataSettings(path=str(tmp_path / "out"), episodes=2))
    assert len({row["episode"] for row in corpus.train}) == 2


def test_parquet_alone_will_do(tmp_path):
    pytest.importorskip("pyarrow")
    from earsim_training.export.exporter import Export
    from earsim_training.export.settings import ExportSettings

    made = Export(str(flat(tmp_path)), ExportSettings(), tmp_path / "p", formats=["parquet"])
    list(made.run(jobs=1))
    export(flat(tmp_path), tmp_path / "j")
    found = [read_corpus(DataSettings(path=str(tmp_path / name))).train for name in ("p", "j")]
    assert found[0] == found[1]


@pytest.mark.parametrize(
    ("text", "expected"),
    [("", "no rows"), ("{}\n", "prompt: missing"), ("[1]\n", "no row"), ("nonsense\n", "no row")],
)
def test_files_without_rows_are_refused(tmp_path, text, expected):
    path = tmp_path / "rows.jsonl"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(FileError, match=expected):
        read_corpus(DataSettings(path=str(path)))


def test_a_folder_that_is_no_export_is_refused(tmp_path):
    with pytest.raises(FileError, match=r"no export\.json"):
        read_corpus(DataSettings(path=str(tmp_path)))


def test_an_export_without_the_form_that_is_asked_for_is_refused(tmp_path):
    export(flat(tmp_path), tmp_path / "out", forms=("episodes",))
    with pytest.raises(FileError, match="no rows of the form decisions"):
        read_corpus(DataSettings(path=str(tmp_path / "out")))


def test_exports_are_joined_if_they_are_told_in_the_same_words(tmp_path):
    export(flat(tmp_path), tmp_path / "a", choosing={"categories": ["tool_use"]})
    export(flat(tmp_path), tmp_path / "b", choosing={"categories": ["direct_command"]})
    export(flat(tmp_path), tmp_path / "c", telling={"style": "compact"})
    a, b, c = (str(tmp_path / name) for name in "abc")
    parts = [read_corpus(DataSettings(path=path)) for path in (a, b)]
    both = read_corpus(DataSettings(path=a, more=(b,)))
    assert both.train == parts[0].train + parts[1].train
    assert both.hash not in {part.hash for part in parts}
    with pytest.raises(FileError, match="other words"):
        read_corpus(DataSettings(path=a, more=(c,)))
