"""Procedures of the life sciences."""

from __future__ import annotations

from typing import Final

from earsim_generators.families.wet.procedure import (
    Procedure,
    ProcedureStep,
    StepParameter,
    Supply,
    ToldOutcome,
    celsius,
    hours,
    microlitres,
    minutes,
    seconds,
)

_SPEED = StepParameter("speed", "xg", (8000, 10000, 12000, 14000), (100, 30000), "at {}")

PLASMID: Final = Procedure(
    name="plasmid",
    title="DNA out of cells",
    domain="life",
    bench="Preparation bench",
    aim="Get the plasmid out of the cells at the {bench}.",
    materials={
        "cell_pellet": {"is_loose": False, "is_open": False, "is_clear": False},
        "column": {"holds_dna": False},
        "eluate": {"is_measured": False},
    },
    made=frozenset({"eluate"}),
    supplies=(
        Supply("RNase tube", 0.01, is_frozen=True),
        Supply("Neutraliser", 0.3),
        Supply("Ethanol bottle", 0.5),
    ),
    instruments=("Centrifuge",),
    steps=(
        ProcedureStep(
            "resuspend",
            {"cell_pellet": {"is_loose": False}, "rnase_tube": {"is_thawed": True}},
            {"cell_pellet": {"is_loose": True}},
            (microlitres(150, 200, 250, 300),),
        ),
        ProcedureStep(
            "lyse",
            {"cell_pellet": {"is_loose": True}},
            {"cell_pellet": {"is_open": True}},
            (microlitres(200, 250, 300, 350),),
        ),
        ProcedureStep(
            "keep_still",
            {"cell_pellet": {"is_open": True}},
            {},
            (minutes(2, 3, 4, 5),),
            seconds="time",
        ),
        ProcedureStep(
            "neutralise",
            {"cell_pellet": {"is_open": True}, "neutraliser": {}},
            {},
            (microlitres(300, 350, 400, 450),),
        ),
        ProcedureStep(
            "spin_down",
            {"cell_pellet": {"is_open": True}},
            {"cell_pellet": {"is_clear": True}},
            (_SPEED, minutes(5, 8, 10)),
            seconds="time",
            uses="Centrifuge",
        ),
        ProcedureStep(
            "load_column",
            {"cell_pellet": {"is_clear": True}, "column": {"holds_dna": False}},
            {"column": {"holds_dna": True}},
        ),
        *(
            ProcedureStep(
                "rinse_column",
                {"column": {"holds_dna": True}, "ethanol_bottle": {}},
                {},
                (microlitres(500, 600, 700, 750),),
                share=share,
            )
            for share in (1.0, 0.5)
        ),
        ProcedureStep(
            "dry_column",
            {"column": {"holds_dna": True}},
            {},
            (minutes(1, 2, 3),),
            seconds="time",
            share=0.7,
        ),
        ProcedureStep(
            "elute",
            {"column": {"holds_dna": True}},
            {"eluate": {"is_measured": False}},
            (microlitres(30, 50, 80, 100),),
        ),
        ProcedureStep(
            "measure_absorbance",
            {"eluate": {}},
            {"eluate": {"is_measured": True}},
            gives="dna_ng_per_ul",
        ),
    ),
    distractors=(
        ProcedureStep("vortex", {"cell_pellet": {"is_loose": True}}, {}, (seconds(10, 20),)),
        ProcedureStep("boil", {"cell_pellet": {}}, {}, (minutes(2, 5),), seconds="time"),
        ProcedureStep("sonicate", {"cell_pellet": {"is_loose": True}}, {}, (seconds(10, 30),)),
        ProcedureStep("dilute", {"eluate": {}}, {}, (microlitres(100, 200),)),
    ),
    outcome=ToldOutcome(
        "dna", "dna_ng_per_ul", 40.0, 400.0, "how much DNA, in ng per uL, it shows"
    ),
)

SPORES: Final = Procedure(
    name="spores",
    title="Green spores in red cells",
    domain="life",
    bench="Staining bench",
    aim="Make spores visible beside cells at the {bench}.",
    materials={
        "slide": {"has_smear": False, "is_fixed": False, "is_green": False, "is_red": False},
    },
    made=frozenset(),
    supplies=(Supply("Malachite bottle", 0.2), Supply("Red dye", 0.2), Supply("Acid", 0.3)),
    instruments=("Steam bath",),
    steps=(
        ProcedureStep("smear", {"slide": {"has_smear": False}}, {"slide": {"has_smear": True}}),
        ProcedureStep(
            "fix_in_flame", {"slide": {"has_smear": True}}, {"slide": {"is_fixed": True}}
        ),
        ProcedureStep(
            "flood_with_green",
            {"slide": {"is_fixed": True}, "malachite_bottle": {}},
            {"slide": {"is_green": True}},
            (minutes(3, 4, 5, 6),),
            seconds="time",
        ),
        ProcedureStep(
            "steam",
            {"slide": {"is_fixed": True}},
            {},
            (celsius(90, 95, 98), minutes(5, 8, 10)),
            seconds="time",
            uses="Steam bath",
        ),
        ProcedureStep(
            "rinse", {"slide": {"is_green": True}}, {}, (seconds(15, 20, 30, 40),), seconds="time"
        ),
        ProcedureStep(
            "counterstain",
            {"slide": {"is_green": True}, "red_dye": {}},
            {"slide": {"is_red": True}},
            (seconds(30, 45, 60, 90),),
            seconds="time",
        ),
        ProcedureStep(
            "rinse",
            {"slide": {"is_green": True}},
            {},
            (seconds(5, 10, 15),),
            seconds="time",
            share=0.6,
        ),
        ProcedureStep("blot", {"slide": {"is_red": True}}, {}, share=0.5),
        ProcedureStep("count_spores", {"slide": {"is_red": True}}, {}, gives="spores_percent"),
    ),
    distractors=(
        ProcedureStep(
            "decolourise", {"slide": {"is_green": True}, "acid": {}}, {}, (seconds(5, 10),)
        ),
        ProcedureStep("dry_in_air", {"slide": {}}, {}, (minutes(5, 10),), seconds="time"),
        ProcedureStep("add_oil", {"slide": {"has_smear": True}}, {}, ()),
    ),
    outcome=ToldOutcome(
        "spores", "spores_percent", 3.0, 90.0, "which percentage of spores it shows"
    ),
)

_WASH = ProcedureStep(
    "wash", {"slices": {"is_fixed": True}}, {}, (minutes(5, 10, 15, 20),), seconds="time"
)

NEURONS: Final = Procedure(
    name="neurons",
    title="Cells of one kind in a slice of brain",
    domain="neuroscience",
    bench="Tissue bench",
    aim="Mark one kind of nerve cell in the tissue at the {bench}.",
    materials={
        "tissue": {"is_whole": True},
        "slices": {"is_fixed": False, "has_first": False, "is_marked": False, "is_covered": False},
    },
    made=frozenset({"slices"}),
    supplies=(
        Supply("First antibody", 0.01, is_frozen=True),
        Supply("Second antibody", 0.01, is_frozen=True),
        Supply("Serum", 0.1),
        Supply("Peroxide", 0.3),
    ),
    instruments=("Shaker",),
    steps=(
        ProcedureStep(
            "cut_slices",
            {"tissue": {"is_whole": True}},
            {"tissue": None, "slices": {"is_fixed": False}},
            (StepParameter("thickness", "um", (20, 30, 40, 50), (5, 500), "of {}"),),
        ),
        ProcedureStep(
            "fix",
            {"slices": {"is_fixed": False}},
            {"slices": {"is_fixed": True}},
            (minutes(10, 15, 20, 30),),
            seconds="time",
        ),
        _WASH._replace(share=0.5),
        ProcedureStep(
            "permeabilise",
            {"slices": {"is_fixed": True}},
            {},
            (minutes(10, 15, 20),),
            seconds="time",
        ),
        ProcedureStep(
            "block",
            {"slices": {"is_fixed": True}, "serum": {}},
            {},
            (minutes(30, 45, 60),),
            seconds="time",
        ),
        ProcedureStep(
            "add_first",
            {"slices": {"is_fixed": True}, "first_antibody": {"is_thawed": True}},
            {"slices": {"has_first": True}},
            (microlitres(100, 200, 250), hours(8, 12, 16)),
            seconds="time",
            uses="Shaker",
        ),
        _WASH,
        ProcedureStep(
            "add_second",
            {"slices": {"has_first": True}, "second_antibody": {"is_thawed": True}},
            {"slices": {"is_marked": True}},
            (microlitres(150, 300, 350), hours(1, 1.5, 2)),
            seconds="time",
            uses="Shaker",
        ),
        _WASH._replace(share=0.7),
        ProcedureStep("cover", {"slices": {"is_marked": True}}, {"slices": {"is_covered": True}}),
        ProcedureStep("count_cells", {"slices": {"is_covered": True}}, {}, gives="cells_per_mm2"),
    ),
    distractors=(
        ProcedureStep(
            "bleach", {"slices": {}, "peroxide": {}}, {}, (minutes(5, 10),), seconds="time"
        ),
        ProcedureStep("dry_up", {"slices": {}}, {}, (hours(1, 2),), seconds="time"),
        ProcedureStep("freeze", {"slices": {}}, {}, (minutes(10, 20),), seconds="time"),
    ),
    outcome=ToldOutcome("cells", "cells_per_mm2", 20.0, 900.0, "how many cells per mm2 it shows"),
)
