"""Patterns for sentences: what is ranked or compared in them, and of how many they are."""

from __future__ import annotations

import re

RANK = re.compile(
    r"\b(?:\w{2,}est|most|least|(?:just|only|exactly) (?:a |the )?(?:single )?one"
    r"\b(?! (?:of (?:its|their|that|the) (?:own )?(?:kind|sort)|there|on|at|in))|every other"
    r"|(?:but|to) one"
    r"|all (?:the )?others?|the (?:others|rest|other (?!two|three|four|hand|desk|table"
    r"|bench)\w+) |none|next|right (?:after|below|above|behind)"
    r"|runner|second (?:\w+est|most|in|by))\b"
)
COMPARING = re.compile(
    r"\b(?:\w{2,}er (?:\w+ )?(?:than|of the two|thing|one|buy|purchase|too|and)|than|more|less"
    r"|fewer|before|after|earlier"
    r"|later|came|already|(?:is|was|were|be|being|are|it|them|and|has|have) (?:both )?(?:the "
    r"|also )?\w+er\b"
    r"|measure|limit|compare\w*|enough|as \w+ as|beats?|beaten|outd\w+|instead of|in place of"
    r"|takes? the part"
    r"|just as|same|like|first|sooner)\b"
)
SEVERAL = re.compile(r"\b(?:two|three|four|gets?|things|dreams|swaps|exchanges)\b")
LOCKED = re.compile(r"\b(?:locked|shut) (?:up|in|inside|away)\b|\bnobody (?:else|but)\b")
COMMON = re.compile(
    r"\b(?:except\w*|apart from|of the same (?:sort|kind)|wherever|where one|these five"
    r"|all five|everything|everywhere)\b"
)
GOES_ON = re.compile(
    r"(?:and |but |yet |then )?(?:it's|it is|you'd|you would|you might|you may|you'll|(?:just"
    r"|only|exactly)"
    r" one\b|of (?:those|these|all|such)|every other|none|all (?:but|(?:the )?others?)|among|though"
    r"|don't|that's|people|here it|i'd|i want|one (?:might|would)|no, |there it)\b"
)
WHEN = re.compile(r"\b(?:before|after|since|outdone?|outdoes|beats?|loses? to|drowns? out)\b")
MEASURE = re.compile(
    r"\b(?:measure|yardstick|limit|compared|in place of|instead of|takes? the (?:part|place))\b"
)
THOSE = re.compile(r"\b(?:of|among|out of) (?:all )?(?:those|these|them|such)\b")
BESIDE = re.compile(
    r"\b(?:lit(?:re|er)s?|degrees|jerrycans?|compressor|generator|pump(?:s|ed|ing)?\b(?! (?:house"
    r"|room))|hoovers?|vacuum|battery|sockets?|plugged|charged?|recharged?|cables?|valves?"
    r"|tanks?\b(?! (?:hall|room))|hot plate|melt\w*|boil\w*|cooled|chilled|warmed|drill\w*|boards"
    r"|kilos?|kg|grams|moisture|uncovered|work lamp|hand lamp|an hour|petrol|diesel|ethanol"
    r"|heater|stove|switched off|(?:is|are) off|on end|at a stretch|second in capacity"
    r"|(?:\d+|half an hour|\w+) minutes?|percent or more|\d+ percent)\b"
)
HINGE = re.compile(
    r"\bthan (?:that|it)\b|\b(?:than|after|before|as \w+ as)\b(?!\s*(?:-?\d|that\b|it\b"
    r"|one\b|any\b|all\b|every|just\b"
    r"|(?:a|an|half|the) (?:half|hour|minute|second|moment|few|one)\b|the (?:rest|others?)"
    r"|noon|today|tomorrow|then\b))"
)
