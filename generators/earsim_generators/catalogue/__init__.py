"""Catalogues: what the places of a domain are made of, as data in one file per domain."""

from earsim_generators.catalogue.checks.plausibility import implausible_things
from earsim_generators.catalogue.domain import DOMAIN_SCHEMA, Domain
from earsim_generators.catalogue.kinds import FurnitureKind, ItemKind, RoomType
from earsim_generators.catalogue.load import domain_names, load_domain, parse_domain
from earsim_generators.catalogue.materials import materials
from earsim_generators.catalogue.number_rule import NumberRule
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
