"""Patterns for ranks: by how many others are more, by the next one, by a guess put right."""

from __future__ import annotations

import re

ONE = re.compile(
    r"\b(?:just|only|exactly|precisely|no more than|not more than)(?: a| the)?"
    r"(?: (?:single|sole|lone))? (?:one|other|(?<=single )\w+)\b(?! (?:of its kind|here|there|for))"
    r"|\b(?:a|one) (?:single|sole|lone) (?:one|other|\w+)\b|\bone (?:only|other)\b"
    r"|(?<!other )(?<!every )\bone (?:of (?:those|these|them|the others?)|such \w+)"
)
LOSES = re.compile(
    r"\b(?:los(?:es?|t|ing)|bows?|yields?|gives? way|second|inferior) to(?: only| just| but)?"
    r"(?: a| one)? (?:one|single|sole|lone)\b|\b(?:beaten|outdone|topped|surpassed|exceeded) "
    r"(?:only )?by (?:only |just |exactly |but )?(?:one|a single)\b"
)
ONLY_MOST = re.compile(r"\b(?:only|just) the (?:very )?$")
ALL_BUT_ONE = re.compile(
    r"\b(?:all|every\w*|any|each)(?: \w+){0,5}? (?:but|except|save|bar)(?: for)? (?:one|a single)\b"
)
ALL = re.compile(
    r"\b(?:every other|each other|any other|every one of the others|all (?:of )?(?:the )?(?:others?"
    r"|rest)|(?:the|those) others?\b(?! (?:one|way|end|desk|table|two|three|bench|thing"
    r"|direction)\b)|the rest"
    r"|everything else|all others|every \w+ besides|each of the others)\b"
)
NONE = re.compile(
    r"\b(?:none|no other|no one|not one|not a single|nothing|nobody|no (?:\w+ )?(?:of them|of those"
    r"|in that lot))\b"
)
NEXT = re.compile(
    r"\bnext\b(?! to (?:it|that|those|the (?:one|other)\b))"
    r"|\brunners?[- ]up\b|\bnumber two\b|\bsecond\b(?= (?:\w+est|most|least|in|by|place"
    r"|from|one (?:in|by|from|up|down|after))\b|[.,;?!])"
    r"|\b(?:one|that|piece|\w+) (?:that )?(?:comes? |follows )?(?:right |just |directly |straight "
    r"|immediately )(?:after|behind|before|below|above|under|over|next)\b"
    r"|\bonly (?:that one|it|that|this one) (?:beats?|tops?|outdoes)\b|\b(?:one just"
    r"|a notch) (?=\w+er\b)"
    r"|\b(?:the )?one (?:after|behind|below|above|under)\b|\b(?:but|bar|save) (?:for )?one\b"
)
NO_SECOND = re.compile(r"\b(?:no|a|any) $")
GUESS = re.compile(
    r"\b(?:you'd|you would|you will|you'll|you may|you might|you could|people|most|somebody"
    r"|someone|everybody|everyone|many|one would|one might|whoever|anybody|anyone|would have|not"
    r"|n't|\w+n't|instead of|rather than|tempt\w*|think|thought|forget|never|no longer|nobody"
    r"|neither|nor|wrong\w*|might|would)\b"
)
MEANT = re.compile(
    r"\b(?:it's|it is|it was|i want|i'd|i would|i mean|i meant|but|rather|really|indeed|take|give"
    r"|pick|please|mine|i'm|sorry|instead|actually|in truth|the one|wrong,)\b|\bno, |\bwrong, "
)
TAKEN_BACK = re.compile(
    r"[\w ]{0,12}?,? (?:-+ )?(?:no\b|sorry\b|or rather|i mean|wait|oh no|pardon|correction|isn't"
    r"|is not|aren't|won't|wasn't|is wrong|would be wrong|is too)"
)
BUT_ONE = re.compile(r"[\w ]{0,24}? (?:but|bar|save)(?: for)? one\b")
UP = re.compile(r"\b(?:above|up|over|higher)\b")
DOWN = re.compile(r"\b(?:below|down|under|lower|beneath)\b")
FROM = re.compile(r"\bfrom the (?:very )?$")
SO_MANY = re.compile(r"\b(?:as|so) (?:(?P<more>many|much)|few|little)\b")
