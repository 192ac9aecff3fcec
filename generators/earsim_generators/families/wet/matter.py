"""Procedures of chemistry, of the science of materials and of that of the soil."""

from __future__ import annotations

from typing import Final

from earsim_generators.families.wet.procedure import (
    Procedure,
    ProcedureStep,
    StepParameter,
    Supply,
    ToldOutcome,
    celsius,
    grams,
    hours,
    millilitres,
    minutes,
    seconds,
)

CRYSTALS: Final = Procedure(
    name="crystals",
    title="Crystals once more",
    domain="chemistry",
    bench="Fume cupboard",
    aim="Make the raw product pure by crystals at the {bench}.",
    materials={
        "raw_product": {"is_weighed": False},
        "solution": {"is_hot": False, "is_clear": False, "has_crystals": False},
        "crystals": {"is_dry": False},
    },
    made=frozenset({"solution", "crystals"}),
    supplies=(Supply("Ethanol bottle", 0.6), Supply("Charcoal", 0.2), Supply("Acid", 0.5)),
    instruments=("Hot plate", "Oven"),
    steps=(
        ProcedureStep(
            "weigh_out",
            {"raw_product": {"is_weighed": False}},
            {"raw_product": {"is_weighed": True}},
            (grams(4, 5, 8, 10, 12),),
        ),
        ProcedureStep(
            "dissolve",
            {"raw_product": {"is_weighed": True}, "ethanol_bottle": {}},
            {"raw_product": None, "solution": {"is_hot": False}},
            (millilitres(40, 60, 80, 100),),
        ),
        ProcedureStep(
            "heat",
            {"solution": {}},
            {"solution": {"is_hot": True}},
            (celsius(70, 74, 78), minutes(10, 15, 20)),
            seconds="time",
            uses="Hot plate",
        ),
        ProcedureStep(
            "add_charcoal",
            {"solution": {}, "charcoal": {}},
            {},
            (StepParameter("mass", "g", (0.2, 0.3, 0.5), (0.1, 500.0), "to the amount of {}"),),
            share=0.8,
        ),
        ProcedureStep(
            "strain",
            {"solution": {"is_hot": True}},
            {"solution": {"is_clear": True}},
        ),
        ProcedureStep(
            "cool_down",
            {"solution": {"is_clear": True}},
            {"solution": {"has_crystals": True}},
            (celsius(20, 22, 25), minutes(30, 45, 60)),
            seconds="time",
        ),
        ProcedureStep(
            "chill",
            {"solution": {"is_clear": True}},
            {},
            (celsius(0, 2, 4), minutes(10, 20, 30)),
            seconds="time",
        ),
        ProcedureStep(
            "filter_off",
            {"solution": {"has_crystals": True}},
            {"solution": None, "crystals": {"is_dry": False}},
        ),
        ProcedureStep(
            "wash_crystals",
            {"crystals": {}, "ethanol_bottle": {}},
            {},
            (millilitres(5, 8, 10, 15),),
        ),
        ProcedureStep(
            "dry_crystals",
            {"crystals": {}},
            {"crystals": {"is_dry": True}},
            (celsius(50, 60, 70), hours(1, 2, 3)),
            seconds="time",
            uses="Oven",
        ),
        ProcedureStep("melt_a_grain", {"crystals": {"is_dry": True}}, {}, gives="melts_at_c"),
    ),
    distractors=(
        ProcedureStep(
            "evaporate", {"solution": {}}, {}, (minutes(10, 30),), "time", uses="Hot plate"
        ),
        ProcedureStep("acidify", {"solution": {}, "acid": {}}, {}, (millilitres(1, 2),)),
        ProcedureStep("stir", {"solution": {}}, {}, (minutes(5, 10),), seconds="time"),
        ProcedureStep("grind_crystals", {"crystals": {}}, {}, (minutes(1, 2),), seconds="time"),
    ),
    outcome=ToldOutcome("melts", "melts_at_c", 80.0, 220.0, "at which temperature it melts, in C"),
)


def _grain(*values: float) -> StepParameter:
    return StepParameter("grain", "um", values, (0.02, 50.0), "with {}")


_POLISH = ProcedureStep(
    "polish",
    {"sample": {"is_free": True}},
    {"sample": {"is_bright": True}},
    (_grain(6, 9, 15), minutes(3, 4, 5, 6)),
    seconds="time",
    uses="Turntable",
)

STEEL: Final = Procedure(
    name="steel",
    title="The grain of a steel",
    domain="materials",
    bench="Metal bench",
    aim="Find the hardness of the steel at the {bench}.",
    materials={
        "bar": {"is_whole": True},
        "sample": {
            "is_mounted": False,
            "is_free": False,
            "is_bright": False,
            "is_etched": False,
        },
    },
    made=frozenset({"sample"}),
    supplies=(Supply("Resin", 0.4), Supply("Nital bottle", 0.3), Supply("Picral bottle", 0.3)),
    instruments=("Turntable", "Mounting press"),
    steps=(
        ProcedureStep(
            "cut",
            {"bar": {"is_whole": True}},
            {"bar": {"is_whole": False}, "sample": {"is_mounted": False}},
            (StepParameter("thickness", "mm", (5, 8, 10, 12), (1, 50), "to {}"),),
        ),
        ProcedureStep(
            "mount",
            {"sample": {"is_mounted": False}, "resin": {}},
            {"sample": {"is_mounted": True}},
            (celsius(150, 165, 180), minutes(6, 8, 10)),
            seconds="time",
            uses="Mounting press",
        ),
        ProcedureStep(
            "eject", {"sample": {"is_mounted": True}}, {"sample": {"is_free": True}}, seconds=30.0
        ),
        ProcedureStep(
            "grind",
            {"sample": {"is_free": True}},
            {},
            (
                StepParameter("grit", "", (220, 320, 500, 800), (60, 4000), "with grit {}"),
                minutes(2, 3, 4),
            ),
            seconds="time",
            uses="Turntable",
        ),
        _POLISH,
        _POLISH._replace(parameters=(_grain(1, 3), minutes(3, 4, 5, 6)), share=0.6),
        ProcedureStep(
            "clean", {"sample": {"is_free": True}}, {}, (seconds(30, 60, 90),), "time", share=0.8
        ),
        ProcedureStep(
            "etch",
            {"sample": {"is_bright": True}, "nital_bottle": {}},
            {"sample": {"is_etched": True}},
            (seconds(5, 8, 10, 15),),
            seconds="time",
        ),
        ProcedureStep(
            "rinse", {"sample": {"is_bright": True}}, {}, (seconds(10, 20, 30),), seconds="time"
        ),
        ProcedureStep(
            "press_diamond",
            {"sample": {"is_etched": True}},
            {},
            (StepParameter("load", "kg", (1, 5, 10, 30), (0.01, 100), "with {}"),),
            gives="hardness_hv",
        ),
    ),
    distractors=(
        ProcedureStep(
            "anneal", {"sample": {}}, {}, (celsius(600, 700), hours(1, 2)), seconds="time"
        ),
        ProcedureStep("stain", {"sample": {}, "picral_bottle": {}}, {}, (seconds(10, 20),)),
        ProcedureStep("sandblast", {"sample": {}}, {}, (minutes(1, 2),), seconds="time"),
    ),
    outcome=ToldOutcome("hardness", "hardness_hv", 120.0, 800.0, "the hardness HV that it shows"),
)

SOIL: Final = Procedure(
    name="soil",
    title="What of a soil was alive",
    domain="earth",
    bench="Soil bench",
    aim="Find the organic share of the soil at the {bench}.",
    materials={
        "soil": {"is_weighed": False, "is_filled": False, "is_dry": False, "is_ash": False},
    },
    made=frozenset(),
    supplies=(Supply("Crucible", 0.1), Supply("Fine mesh", 0.4), Supply("Peroxide", 0.5)),
    instruments=("Oven", "Furnace"),
    steps=(
        ProcedureStep(
            "sieve",
            {"soil": {}, "fine_mesh": {}},
            {},
            (StepParameter("mesh", "mm", (0.5, 1, 2, 4), (0.05, 20), "through {}"),),
        ),
        ProcedureStep(
            "weigh_in",
            {"soil": {"is_weighed": False}},
            {"soil": {"is_weighed": True}},
            (grams(5, 8, 10, 15),),
        ),
        ProcedureStep(
            "crush", {"soil": {"is_weighed": True}}, {}, (minutes(2, 3, 5),), "time", share=0.6
        ),
        ProcedureStep(
            "fill_vessel",
            {"soil": {"is_weighed": True}, "crucible": {}},
            {"soil": {"is_filled": True}},
        ),
        ProcedureStep(
            "dry",
            {"soil": {"is_filled": True}},
            {"soil": {"is_dry": True}},
            (celsius(100, 105, 110), hours(8, 12, 16)),
            seconds="time",
            uses="Oven",
        ),
        ProcedureStep(
            "cool",
            {"soil": {"is_dry": True}},
            {},
            (minutes(20, 30, 45),),
            seconds="time",
            share=0.7,
        ),
        ProcedureStep(
            "ignite",
            {"soil": {"is_dry": True}},
            {"soil": {"is_ash": True}},
            (celsius(450, 500, 550), hours(2, 3, 4)),
            seconds="time",
            uses="Furnace",
        ),
        ProcedureStep(
            "cool", {"soil": {"is_dry": True}}, {}, (minutes(25, 40, 60),), seconds="time"
        ),
        ProcedureStep("weigh_back", {"soil": {"is_ash": True}}, {}, gives="organic_percent"),
    ),
    distractors=(
        ProcedureStep("wet", {"soil": {}}, {}, (millilitres(5, 10),)),
        ProcedureStep("oxidise", {"soil": {}, "peroxide": {}}, {}, (millilitres(10, 20),)),
        ProcedureStep("shake", {"soil": {}}, {}, (minutes(5, 10),), seconds="time"),
    ),
    outcome=ToldOutcome(
        "organic", "organic_percent", 1.0, 30.0, "the organic share in percent that it shows"
    ),
)
