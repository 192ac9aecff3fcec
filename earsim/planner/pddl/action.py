"""The text of an action for an attribute verb."""

from __future__ import annotations

from earsim.schema.verb_table import AttributeVerb


def tool_for(row: AttributeVerb) -> tuple[str, str]:
    """The parameter and the condition for the tool that a verb takes; empty where it takes none."""
    if not row.requires_tool:
        return "", ""
    return " ?t - thing", f" (in-hand ?t) (gives-{row.name} ?t)"


def action(
    row: AttributeVerb, name: str, parameters: str, condition: str, *, effect: str = ""
) -> str:
    """An action that flips the state of `?x` that a row of the verb table is about."""
    state = f"({row.attribute} ?x)"
    old, new = (state, f"(not {state})") if row.value else (f"(not {state})", state)
    return f"""\
  (:action {name:31} ; {row.name.upper()} ?x
    :parameters ({parameters})
    :precondition (and (not (reached broken))
      {condition}
      (has-{row.attribute} ?x) {old})
    :effect (and {new}{effect}))
"""
