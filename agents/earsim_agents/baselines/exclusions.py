"""What is left out of consideration: `forget all that are as wide as it or wider`."""

from __future__ import annotations

import re
from collections.abc import Iterator

from earsim_agents.baselines.alike import KIND
from earsim_agents.baselines.expressions import one_of

_WHOEVER = one_of(
    "all", r"any\w*", r"every\w*", "each", "those", r"what\w*",
    r"the (?:\w+ ){0,2}?(?:\w+s|ones)", rf"(?:\w+ )?{KIND}s",
)  # fmt: skip
_OUT = one_of(
    r"(?:leav\w+|left) (?:out|aside)", r"(?:put|set|lay|laid)\w* aside",
    r"(?:rul|cross|strik|struck|weed|sort|sift|cast|throw|filter|count|screen)\w* (?:out|off)",
    r"disregard\w*", r"discard\w*", r"ignor\w*", r"forg[eo]t\w*(?: about)?", r"skip\w*",
    r"reject\w*", r"exclud\w*", r"dismiss\w*", r"pass\w* over",
    "removal of", "(?:don't|do not) care about",
)  # fmt: skip
_OUT_OR_AWAY = one_of(_OUT, r"drop\w*", "do(?:ne)? away with", "rid of", r"remov\w+")
_TAKEN_AWAY = ("remov", "drop", "rid", "do")
"""How those begin that are said of what lies somewhere as well."""

_CROSS = r"(?:leav|cross|strik|rul|put|set|cast|throw)\w*"
_BE = "(?:are|is|was|were|be|been|being|have been|has been|to be)"
_NEXT_STEP = one_of(
    "pass", "skip", "us", "tak", "choos", "bring", "pick", "lin", "put", "lay", "of", "add",
    "ignor", "let", "from", "what", "then", "so", "set",
)  # fmt: skip
_AND_ALL = (
    "(?:and |or |nor |as well as |along with )?(?:also |likewise )?"
    r"(?:all|any|every|those|each|what|whatever|(?:(?:are|is)n't|no|not|are not|is not) \w+er)\b"
)
_ENDS = (
    rf"(?=[.;!?:]|$|,(?! {_AND_ALL})"
    rf"|,? and (?:then |so )?(?:[a-z]+ )?(?!whatever|what (?:is|are|isn't)){_NEXT_STEP}\w*\b)"
)
_NO_MOST = r"(?:(?!\w+est\b)[^.;!?:])"
_EXCLUDED = re.compile(
    rf"\b{_OUT_OR_AWAY}(?:,[^.,;!?:]{{0,20}},)?(?: also| too)?"
    rf" (?P<active>(?:that|which|{_WHOEVER})\b(?!(?: \w+){{0,2}} (?:but|except)\b)"
    rf"[^.;!?:]*?){_ENDS}"
    rf"|\b{_CROSS} {_WHOEVER}\b[^.,;!?:]{{0,25}}? (?:out|off|aside|from)\b(?: (?:of )?\w+ \w+)??"
    rf" (?P<split>(?:that|which)\b[^.;!?:]*?){_ENDS}"
    rf"|\b(?<!of )(?<!of the )(?<!of all )(?P<passive>{_WHOEVER}\b{_NO_MOST}{{0,120}}?)"
    rf" (?:{_BE} (?:{_OUT}|out\b|no (?:use|good))|(?:don't|do not|won't) count"
    rf"|(?:i|you|we) (?:can |may |will )?{_OUT}(?= ?[.,;!?:]))"
    rf"(?P<also>(?:, as {_BE}|,? and neither {_BE}| that {_BE}) (?:(?!\w+est\b)[^.,;!?:])+)?"
)
_LOOK_ONLY = re.compile(r"\blook\w* only\b|\bonly (?:look|consider)\w*|\bskip\w*|\bpass\w* over")
_NOT_ALL = re.compile(
    r"(\bnot|n't) (?!both|whatever)(\w+er\b(?: than (?:the |it\b)?(?:\w+ )??\w+)?"
    r" (?:and|or|but) (?!what)\w+er\b)"
)
"""`leave out what is not wider than it and longer`."""


def apart(text: str) -> Iterator[tuple[str, bool]]:
    """The parts of a text, and whether each tells of things that are left out."""
    end = 0
    for match in _EXCLUDED.finditer(text):
        yield text[end : match.start()], False
        what = match["active"] or match["split"] or match["passive"] + (match["also"] or "")
        is_kept = re.search(r"\b(?:except|but) (?:for )?(?:those|the)\b", what) is not None
        yield _NOT_ALL.sub(r"\1 both \2", what), not is_kept
        end = match.end()
    yield text[end:], False


def without_excluded(text: str) -> str:
    """A text without what it says of things that are left out."""
    return _EXCLUDED.sub(_unless_taken_away, _LOOK_ONLY.sub(" ", text))


def _unless_taken_away(match: re.Match[str]) -> str:
    """Of `without removing the one that is there`: all of it."""
    return match[0] if match[0].startswith(_TAKEN_AWAY) else " "
