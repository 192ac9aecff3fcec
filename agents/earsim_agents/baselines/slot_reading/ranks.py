"""Ranks: whether the first, the second or the last of several things is told, however it is."""

from __future__ import annotations

import re
from typing import Final

_LIMITS: Final = re.compile(
    r"\bat (?:the )?(?:very )?(?:least|most|latest|earliest)\b|\bno (?:less|more|fewer) than\b"
    r"|\bas a (?:minimum|maximum)\b|\b(?:the|a) (?:minimum|maximum) of\b|\bminimum \d+|\d+ minimum"
    r"|\bat (?:a )?(?:minimum|maximum)\b|\bnot least\b"
    r"|\bmost (?:grateful|obliged|sincerely|kind\w*)\b"
    r"|\b(?:minimum|maximum)\b(?= *[,.;!?]| and\b| or\b)|\bleast of all\b|\bis the most that\b"
    r"|\b(?:jug|jerrycan)\b[^.!?;]{0,60}\b(?:most|least)\b"
)
"""Words of degree that set a limit or are polite, and tell no rank."""

_ONE_ABOVE: Final = (
    r"(?:only|just|but|exactly|no more than|precisely) (?:a single |one |1 )(?:other |more |of )?"
)
_SECOND: Final = re.compile(
    r"(?<!litres of the )(?<!litre of the )\bsecond\b"
    r"(?! (?:time|thought|longer|more|to spare|wasted))|\brunners?[- ]up\b"
    r"|\bnumber (?:two|2)\b|\bno\. ?2\b|\bbut one\b|\b2nd\b|\bsilver medal\b|\btwo in\b"
    r"|\bnext (?:one )?(?:down|to (?:the )?\w+est)|\bnext[- ](?:\w+est|most|in line|after)\b"
    r"|\b(?:one|a) (?:step|place|rung|notch) (?:below|behind|under|down)\b"
    rf"|\b(?:beaten|outdone|surpassed|topped|exceeded|bettered|outranked|bested) by {_ONE_ABOVE}"
    r"|\b(?:beaten|outdone|surpassed|topped|bettered) by one\b"
    rf"|\b{_ONE_ABOVE}(?:\w+ )?(?:above|ahead|before|beats?|is|has|holds|takes|stores|surpass\w*|"
    r"outdo\w*|exceed\w*|tops?|larger|bigger|wider|thicker|longer|over|can)\b"
    r"|\bthe (?:middle|medium|median) (?:one|size\w*|\w+)\b|\bneither the \w+est nor the \w+est\b"
    r"|\bmiddling\b|\bin the middle\b|\bmiddle of the (?:three|3)\b"
    r"|\bmore than the \w+est(?: one)?,? (?:but|and|yet) (?:less|not)\b"
    r"|\bless than the \w+est(?: one)?,? (?:but|and|yet) more\b"
    r"|\bafter the \w+est\b|\bnot the \w+est\b"
)
_WORDS: Final = (
    r"least|smallest|lowest|poorest|shortest|thinnest|narrowest|slimmest|littlest|tiniest|weakest|"
    r"minimal|minimum|slightest|scant\w*|fewest|cramped\w*|flattest|finest|baby of|runt|leanest|"
    r"skinniest|tightest|dinkiest|measliest|feeblest|puniest|slenderest|briefest"
)
_THAN: Final = r"than (?:any|all|both|either|each|every|the (?:other|rest)|its|their)"
_LEAST: Final = re.compile(
    rf"\b(?:{_WORDS})\b"
    rf"|\b(?:less|fewer|smaller|lower|shorter|thinner|narrower|slimmer)\b[^.,!?;]{{0,25}}{_THAN}\b"
    r"|\b(?:none|no other|neither|nothing|nobody)\b[^.!?;]{0,50}\b(?:so|as) (?:little|small|short|"
    r"thin|narrow|low|few)\b"
    r"|\b(?:none|no other|neither|nothing)\b[^.!?;]{0,50}\b(?:less|smaller|lower|shorter|thinner|"
    r"narrower) than\b"
    r"|\b(?:all|both|every|each) (?:of )?(?:the )?(?:others?|rest|other \w+)\b[^.,!?;]{0,25}"
    r"\b(?:more|larger|bigger|wider|thicker|longer)\b"
)
_MOST: Final = re.compile(
    r"\b(?:most|largest|biggest|greatest|highest|widest|broadest|thickest|fattest|longest|roomiest|"
    r"maximal|maximum|fullest|stoutest|strongest|giant|big daddy|champion|record|lengthiest|hugest)"
    r"\b"
)


def rank_of(text: str) -> str:
    """`second largest`, `smallest` or else `largest`."""
    text = _LIMITS.sub(" ", text)
    if _SECOND.search(text):
        is_from_below = re.search(rf"\bsecond[- ](?:{_WORDS})\b|\bnext (?:{_WORDS})\b", text)
        return "second smallest" if is_from_below else "second largest"
    least, most = _LEAST.search(text), _MOST.search(text)
    if least is not None and most is not None:
        return "smallest" if least.start() < most.start() else "largest"
    return "smallest" if least is not None else "largest"


def extremes_of(text: str) -> set[str]:
    """Which of `largest` and `smallest` are told, by superlatives."""
    text = _LIMITS.sub(" ", text)
    found = {"largest"} if _MOST.search(text) else set()
    return found | ({"smallest"} if re.search(rf"\b(?:{_WORDS})\b", text) else set())
