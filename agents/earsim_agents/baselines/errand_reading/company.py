"""What becomes of another thing that lies where one is to be brought."""

from __future__ import annotations

import re

_NOT = r"(?:not|n't|never|nobody|no one|without|cannot)(?: to be| be| be to| to| is| ever| also)? "
_NOT_TAKEN = re.compile(
    rf"{_NOT}(?:\w+ ){{0,2}}?(?:tak\w+|touch\w*|remov\w+|mov\w+|budg\w+|leav\w+|go(?:ing"
    rf"|es)?\b(?! (?:back|wrong|off|further|by))"
    r"|disturb\w*|clear\w*|los\w+|driv\w+|push\w*|carr\w+|lift\w*|shift\w*|replac\w*|part\w*)"
    r"(?: (?:it|that|the \w+|anywhere))?(?: (?:away|off|out|anywhere|from))?"
)
_KEPT = (
    r"stay\w*|remain\w*|keep\w* (?:its|their|his|her) (?:\w+ )?(?:place|spot|seat|ground)"
    r"|keep\w* (?:it|them|the|that|its) (?:[\w']+ ){0,6}?company|(?:in|and|gets?) company|(?:for"
    r"|as|has|gets|give it|finds) (?:a )?company|company from|hold\w* its ground|(?:may|can|will"
    r"|should|to|which we|which i|we|i|you|do|please|and|which you) keep\b(?! (?:it )?the)|go on "
    r"(?:lying|standing)|let (?:the|that) [\w ]{1,40}? be\b|which (?:we|i|you|i ask you to) leave"
    r"|that (?:we|i|you) leave\b(?! (?:out|aside))|(?:we|i)(?:'d| would| will)? leave\b(?! (?:out"
    r"|aside))|is left|left (?:alone|there|where)|leav(?:e|es|ing) (?:it|the|that|what"
    r"|alone)\b(?! ones? (?:that|which) (?:is|are|holds) (?:\w+er|more|less)\b)"
    r"|at its side|gets? a mate|to have both"
)
_JOINED = (
    r"join\w*|next to|along with|alongside|side by side|shar(?:e|es|ing)\b|neighbours?|fellow|in "
    r"addition to|besides?\b|together with|beside|right by|by its like|(?:with|by) the \w+ "
    r"(?:\w+ )?(?:already|now|there|lying|on|that)|(?<!no )(?<!a )two\b(?! of| things| more"
    r"| places)|both\b(?! (?:older"
    r"|newer|cheaper|dearer|at once|less|more|thinner|thicker|younger|louder|quieter|shorter"
    r"|longer|in|beat))|add(?:ed|s)?\b|one more\b|another one\b|(?<!no )(?<!not )(?<!without "
    r")(?<!without a )(?<!not a )\ba second(?! (?:with|beside|on))\b(?! \w+est)|a further"
    r"|snuggle\w*|the (?:present|current) one and|today's and|too stays"
)
_GONE = (
    r"retir\w+|danced|ha(?:s|ve|d) had (?:its|their|his|her) (?:\w+ )?(?:day|time)|in favour of"
    r"|needs? a change|(?:says?|say) goodbye|farewell|drops? out|finish\w*|replac\w+|swap\w*"
    r"|exchang\w+|trad(?:e|es|ing)\b|relieve\w*|succe(?:ed|ss)\w*|tak\w+ "
    r"(?:over )?(?:the |its |his |their )?(?:place|spot|seat)|(?:takes?|taking) over|in (?:the "
    r")?(?:place|stead) of|in its (?:stead|place)|instead|gone\b|go(?:es)? (?:away|off it|back)\b"
    r"|tak\w+ (?:[\w']+ ){0,9}?(?:away|off|out)\b|remov\w+|comes? (?:off|away|down)\b"
    r"|leaves\b(?! (?:it|the|that))|mak\w+ (?:room|way)|made way|clear\w* (?:[\w']+ "
    r"){0,6}?(?:away|off|out)?\b|goes(?= ?[,.;:!?]| and\b| again| too| while)|dethron\w+|chas\w+"
    r"|ousts?|(?:has|have|is|are|must|may|can|should|ought) (?:to )?(?:go|leave)\b|(?:off|away"
    r"|out|down) (?:goes|with|comes)|off with|chang\w+ places|(?:has|have) left|send\w* "
    r"(?:[\w']+ ){0,6}?(?:away|off|packing)|on its way|(?:a )?different\b|no longer|is to be "
    r"(?:off|gone)|supersed\w*|taken (?:off|away|out|from)|whisk\w*|is lifted off|and the one "
    r"[\w' ]{1,40}? (?:leaves?|goes|go|off)\b|\bleave\?|leave[.,;!]"
)
_ALONE = re.compile(
    r"\b(?:the only \w+|only (?:one (?:of (?:its|that|this|his|her|their)|on|there|at|in)"
    r"|(?!one)\w+ (?:of|on|there|at|in))\b|alone|no (?:other|second|further)"
    r"|none of the others|sole|(?:just|exactly) one(?= (?:on|there|at|in|by)\b| ?[,.;!?])"
    r"|single|without (?:a|any) (?:second|other|further)"
    r"|not a second|nothing else|all by itself|and only one)\b"
)
_IS_KEPT, _IS_JOINED, _IS_GONE = (
    re.compile(rf"(?<![\w'])(?:{words})") for words in (_KEPT, _JOINED, _GONE)
)


def stays(text: str) -> bool | None:
    """Whether another one that lies there stays; None if nothing is said of it."""
    denied = len(_NOT_TAKEN.findall(text))
    left = _NOT_TAKEN.sub(" ", text)
    kept = 2.0 * denied + 2.0 * len(_IS_KEPT.findall(left)) + len(_IS_JOINED.findall(left))
    gone = 1.6 * len(_IS_GONE.findall(left))
    if kept or gone:
        return kept > gone
    return False if is_alone(text) else None


def is_alone(text: str) -> bool:
    """Whether it is said that there is to be no other."""
    return _ALONE.search(text) is not None
