"""Sentences and clauses of a text, and whether a clause tells what is wanting."""

from __future__ import annotations

import re
from typing import Final

_SENTENCE = re.compile(r"(?<=[.!?])[\"')]*\s+(?=[A-Z\"'0-9])")
_TITLE = re.compile(r"\b(?:Mr|Mrs|Ms|Dr|St|No)\.$")
_PART = re.compile(
    r"(?<=[,;:])\s+(?=(?:and|but|then|before|first|for|the same|because|so|at|in|on|last|also"
    r"|while|where|who|though|next)\b)|(?<=[;:])\s+"
)
_CLAUSE = re.compile(r"(?<=[,;:])\s+|\s+(?=but\b|and\b|so\b|only\b)")
_LONG: Final = 40
_LEAST: Final = 9
"""Words of a long sentence, and of a part of one."""

_DENIED = re.compile(
    r"\b(?:no|not|nothing|never|nobody|none|neither|nor|without|\w+n't|cannot|instead|rather than"
    r"|hardly|only|too|last (?:time|year|week|summer|night)|yesterday|so far|already|tried|once"
    r"|twice|on (?:monday|tuesday|sunday)|otherwise|merely|just)\b"
)
_SETTLED = re.compile(
    r"\b(?:fine|ready|done|already|seen to|settled|agreed|tight|sorted|plenty|in order|by heart"
    r"|has (?:his|her|a|an|the|got)|have (?:a|the|got|been)|(?:we've|she's|he's|they've) got|got"
    r"|there's|all right|perfectly|enough|set up|full|firm|finished)\b"
)
_OTHER = re.compile(
    r"\b(?:(?:the|that|this) (?:thing|one|stuff|kind|sort|gadget)s? (?:for|that|from|with|you|we"
    r"|he|she|they|in)|meant for|in place of|no good|can't (?:stand|bear)|out of the question"
    r"|too (?:big|small|blunt|thin|thick|soft|hard|fine|deep|short|long|weak|strong|heavy|light"
    r"|wide|narrow|coarse|tall|flat)|do(?:es)? nothing|did nothing|far too|(?:he|she|they) won't"
    r"|refuses|forbidden|banned|useless|(?:don't|doesn't) (?:want|need)|nothing (?:with|that|of))\b"
)


def sentences_of(text: str) -> list[str]:
    """The sentences of a text, long ones in parts."""
    found: list[str] = []
    for sentence in _SENTENCE.split(text.strip()):
        if found and _TITLE.search(found[-1]):
            found[-1] += f" {sentence}"
        else:
            found.append(sentence)
    return [part for sentence in found for part in _parts(sentence)]


def _parts(sentence: str) -> list[str]:
    if len(sentence.split()) <= _LONG:
        return [sentence]
    found = [""]
    for part in _PART.split(sentence):
        if len(found[-1].split()) >= _LEAST:
            found.append("")
        found[-1] = f"{found[-1]} {part}".strip()
    return found


def clauses_of(sentence: str) -> list[str]:
    """The clauses of a sentence."""
    return [clause for clause in _CLAUSE.split(sentence) if clause.strip()]


class ClauseSense:
    """What a clause is about.

    Attributes:
        is_denied: It says what is not so, or was once.
        is_settled: It says what is there already.
        is_other: It speaks of what would not do.
    """

    def __init__(self, clause: str) -> None:
        self.is_denied = _DENIED.search(clause) is not None
        self.is_settled = _SETTLED.search(clause) is not None
        self.is_other = _OTHER.search(clause) is not None
