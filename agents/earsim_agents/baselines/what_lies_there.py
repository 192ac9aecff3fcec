"""Whether what lies on a table already goes or stays, once another such thing comes."""

from __future__ import annotations

import re

from earsim_agents.baselines.alike import KIND
from earsim_agents.baselines.exclusions import without_excluded
from earsim_agents.baselines.expressions import one_of

_TAKEN = one_of(
    r"(?:remov|mov|tak|touch|disturb|displac|replac|shift|clear|budg|exchang|swap|chang)\w*",
    r"leav(?:e|ing)", r"go(?:ing)?", "away", "off",
)  # fmt: skip
_NOBODY = one_of("not", "nobody", "no one", "nor", "never", "without", "cannot", r"\w+n't")
_WHERE_IT_IS = one_of(
    "alone", "there", "where it", "in (?:its )?place", "as it is", "be", "on it", "lying",
)  # fmt: skip
_SPARED = re.compile(
    r"\b"
    + one_of(
        rf"{_NOBODY} (?:(?!other|any|another)\w+ ){{0,4}}?{_TAKEN}\b",
        r"(?<!there )still (?:in (?:its|the|his) place|lies|has|holds|carries|bears|keeps)",
        r"(?<!there )still there as well",
        r"hands off (?:the|it|its|that)\b",
        r"no longer alone\b",
        rf"(?:leav\w+|left) (?!out|aside)(?:\w+ ){{0,12}}?{_WHERE_IT_IS}\b",
        r"(?:which|that) (?:you|i|we) leave(?! out| aside)\b",
        r"(?:already|it has) and keeps\b",
        r"(?:stay\w*|remain\w*) (?:where|put|there|in|as)\b",
    )
)
"""What lies there stays, whatever else is said."""

_GOES = re.compile(
    r"\b"
    + one_of(
        "away", r"clear\w*", r"remov\w*", r"swap\w*", r"replac\w*", "gone",
        r"exchang\w*", r"vanish\w*", r"disappear\w*", "relieve[ds]?",
        r"substitut\w*", "heir", r"success\w*", "rid", "off with",
        "part(?:ed|s)?", "trad(?:e|es|ed)", "chang(?:e|es|ed|ing)", "different", "goodbye",
        "comes? off",
        r"tak\w* (?:the|its) (?:\w+ ){1,5}from",
        rf"(?:{KIND}|one) leave",
        r"\w+ leaves(?! (?:an?|the|its?|that)\b)",
        "no longer(?! than)", "had its", "lost the", "off the",
        r"(?<!is )(?<!arrive )(?<!already )(?<!was )(?<!be )(?<!being )"
        "in (?:its|his) (?:place|stead|room)(?! {3})",
        r"tak\w* (?:its|his) (?:place|stead|room)", r"tak\w* the place of",
        "(?:in )(?:the )?(?:place|stead|lieu) of", "in favour of(?! the next)", "in exchange",
        "instead of (?:its|the|that|today)", r"(?:tak\w*|taken) over from",
        r"tak\w* (?:\w+ ){1,4}off", r"(?<!goes )(?<!go )on with", r"free\w* (?:\w+ ){1,9}of",
        r"(?:comes?|goes|get|shift\w*|pull\w*|whisk\w*|put) (?:\w+ ){0,5}off",
        r"(?:mak|ma|giv|gave)\w* (?:way|room)", r"give\w* (?:up|way)",
        "(?:has|have|had|got|is|wants|ought) to (?:go(?! on)|leave(?! lying)|move)",
        "(?:must|should|can|may) (?:go(?! on)|leave)",
        rf"(?:{KIND}|it)(?: \w+){{0,9}}? goes"
        r"(?:,| too\b| as well\b| and\b)",
        r"where the old (?:one|\w+) was",
    )
    + r"(?!\w)"
)  # fmt: skip
"""What lies there goes, where it is not spared."""

_CLEARED = re.compile(
    r"\b(?:off|alone|lone\w*|none|sole\w*|hermit|itself|elsewhere|goes|go|leaves?|out|only|without|"
    r"single|instead|no (?:other|second|more|further|company|companion|rival\w*)|never two|"
    r"nothing else|unaccompanied|lost|loses?)\b"
)
_STAYS = re.compile(
    r"\b"
    + one_of(
        r"stay\w*", r"remain(?!der|ing ones)\w*", r"keep\w*", "kept", "peace", "beside",
        "alongside", r"neighbour\w*", r"join\w*", "at home",
        r"leave (?:it|its|that|the \w+(?: \w+)?)", "hands off", "fine", "companion", "partner",
        r"let (?:it|that|the \w+(?: \w+)?) be", "mate", "friend",
        r"add\w*", "resting", "may lie", "always", "guest", "as well as",
        r"(?:not|don't|nobody|never) (?:\w+ ){0,3}(?:touch|move|disturb)\w*", "(?<!no )company",
        "one more", "next to (?:it|the|that|this|its)", "together with", r"accompan\w*",
        "a further", "(?:at|by) its side", "side by side", "in addition", "a second", "pair of",
        rf"two (?:\w+ )?{KIND}s", "from before",
        "present one and",
    )
    + r"\b"
)  # fmt: skip


_NOT_KEPT = re.compile(r"(?:\bnot|n't) (?:keep|remain|stay)\b(?! alone)")


def goes(text: str) -> bool | None:
    """Whether no other thing of the kind is to lie there; None where nothing tells."""
    text = without_excluded(text)
    if _NOT_KEPT.search(text):
        return True
    if _SPARED.search(text):
        return False
    if _GOES.search(text):
        return True
    if _STAYS.search(text):
        return False
    return True if _CLEARED.search(text) else None
