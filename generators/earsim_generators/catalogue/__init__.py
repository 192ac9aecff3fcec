"""Catalogues: what the places of a domain are made of, as data in one file per domain."""

from earsim_generators.catalogue.checks.plausibility import implausible_things
from earsim_generators.catalogue.domain import (
    DOMAIN_SCHEMA,
    Domain,
    domain_names,
    load_domain,
    parse_domain,
)
from earsim_generators.catalogue.kinds import FurnitureKind, ItemKind, NumberRule, RoomType
from earsim_generators.catalogue.parts import materials
from earsim_generators.catalogue.stock import Stock

__all__ = [
    "DOMAIN_SCHEMA",
    "Domain",
    "FurnitureKind",
    "ItemKind",
    "NumberRule",
    "RoomType",
    "Stock",
    "domain_names",
    "implausible_things",
    "load_domain",
    "materials",
    "parse_domain",
]
