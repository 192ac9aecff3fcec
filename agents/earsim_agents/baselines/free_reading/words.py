"""Words that tell what a part of a sentence is about, whatever the domain."""

from __future__ import annotations

from typing import Final


def words_of(said: str) -> frozenset[str]:
    """A list of words, told with blanks between them."""
    return frozenset(said.split())


FILLERS: Final = words_of("of the a an for with from 's ' and that to in")
"""What may stand between two words of one name."""

DETERMINERS: Final = words_of(
    "the a an that this those these its their his her our my your said same"
)

BACK: Final = words_of("that this those these same said its there")
"""What points back to something that was told."""

GENERIC: Final = words_of(
    "item object thing piece article one bit stuff something anything whatever good "
    "material everything"
)
"""Nouns for any thing."""

NEVER_NAMES: Final = words_of(
    "can will may set second light close use get need watch past long like back over rest mind "
    "drop good do go one two three 1 2 3 4 5 in and to of the for with under new old low high end "
    "up down left right first last full set box clean cold dry open case pair piece point change "
    "return returns cover show time place room thing item object stand press work top"
)
"""Words that mean something else where they stand alone."""

WEAK: Final = words_of(
    "room set pair piece one two three 1 2 3 4 5 stock light second store place area long small "
    "back large front main open clean cold dry hot high low of and in a shop section department "
    "the for with over under heavy big item thing object top end hand up down left right new old "
    "work service box case bag hall mobile change first north south east west point model portable "
    "press stand bar ship show cover to"
)
"""Words that alone do not show a name."""

LOOKS: Final = {
    "waxen": "wax", "woollen": "wool", "woolen": "wool", "golden": "gold", "leaden": "lead",
    "wooden": "wood", "earthen": "earth", "silken": "silk", "coloured": "", "gilded": "gold",
    "flaxen": "linen", "ceramics": "ceramic", "aluminum": "aluminium", "gray": "grey",
    "vegetal": "vegetable", "brazen": "brass", "rusty": "rust", "silvery": "silver",
    "rubbery": "rubber", "glassy": "glass", "papery": "paper", "metallic": "metal",
    "meaty": "meat", "wooly": "wool", "woolly": "wool", "cardboardy": "cardboard",
    "doughy": "dough", "leathery": "leather", "fiberglass": "fibreglass", "inox": "stainless steel",
}  # fmt: skip
"""Adjectives for what a thing is made of or looks like."""

MATERIALS: Final = frozenset({
    "oak", "glass", "pine", "terracotta", "bronze", "steel", "paper", "cardboard", "plastic",
    "marble", "nylon", "aluminium", "iron", "cast iron", "plywood", "brass", "sandstone", "canvas",
    "wood", "limestone", "bone", "wax", "foam", "walnut wood", "gold", "pewter", "silver", "lead",
    "fibreglass", "copper", "wool", "cotton", "leather", "zinc", "silk", "linen", "earth",
    "ceramic", "wicker", "rubber", "stainless steel", "meat", "vegetable", "silicone", "mortar",
    "flour", "felt", "gypsum", "sand", "porcelain", "dough", "stone", "teak", "clay", "chocolate",
    "concrete", "granite", "titanium", "brick", "basalt", "sugar", "slate", "tin", "ivory",
    "velvet",
    "denim", "beech", "ash", "maple", "cork", "straw", "jute", "polyester", "chrome", "enamel",
})  # fmt: skip

COLOURS: Final = frozenset({
    "orange", "yellow", "aqua", "grey", "green", "red", "blue", "mustard", "black", "navy",
    "light blue", "purple", "white", "rust", "striped", "pink", "sky blue", "moss green", "olive",
    "beige", "checked", "lavender", "indigo", "cream", "amber", "teal", "signal red", "brown",
    "ivory", "terracotta", "red oxide", "steel blue", "rose", "silver", "ochre", "turquoise",
    "crimson", "maroon", "violet", "magenta", "cyan", "khaki", "tan", "scarlet",
})  # fmt: skip

LONE: Final = words_of("only lone sole single solitary")
"""That there is one such thing."""

NUMBERS: Final = {
    "no": 0, "one": 1, "single": 1, "two": 2, "pair": 2, "couple": 2, "twosome": 2, "duo": 2,
    "three": 3, "trio": 3, "four": 4, "quartet": 4, "five": 5, "six": 6, "seven": 7, "eight": 8,
    "nine": 9, "ten": 10, "twelve": 12, "fifteen": 15, "twenty": 20, "thirty": 30, "forty": 40,
    "fortyfive": 45, "fifty": 50, "sixty": 60, "ninety": 90, "hundred": 100, "threesome": 3,
    "foursome": 4, "both": 2, "eleven": 11, "brace": 2, "lone": 1,
}  # fmt: skip
