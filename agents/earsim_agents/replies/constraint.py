"""What a server that decodes under constraints is asked for: vLLM's `structured_outputs`.

The older `guided_*` fields are ignored by today's servers without a word, so they are not used.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from earsim.envs.policy import Observation
from earsim_agents.replies.grammar import ReplyGrammar
from earsim_agents.settings import Constrain

_TERMINALS = r"""
thought ::= "Thought: " [^\n]{1,400} "\n"
target ::= [A-Za-z0-9_]{1,64}
destination ::= [A-Za-z0-9_]{1,64}
relation ::= "in" | "on"
actors ::= target ("," target){0,9}
message ::= [^\n]{1,280}
property ::= [A-Za-z0-9_]{1,64}
receiver ::= [A-Za-z0-9_]{1,64}
mark ::= [A-Za-z0-9_]{1,64}
file ::= [A-Za-z0-9_.-]{1,64}
seconds ::= [0-9]{1,4}
page ::= [0-9]{1,4}
settings ::= setting (" " setting){0,15}
setting ::= [A-Za-z0-9_]{1,64} "=" [A-Za-z0-9_.+-]{1,40}
code ::= "\n" [^\n]{1,400} ("\n" [^\n]{1,400}){0,39}
content ::= "\n" [^\n]{1,400} ("\n" [^\n]{1,400}){0,39}
"""
# Everything has an end: a weak model would go on with one word until its tokens are used up.
_THOUGHT = r"(Thought: [^\n]{1,400}\n)?"
_SLOT = re.compile(r"\{(\w+)\}")
_OPTIONAL = re.compile(r"\s*\[([^]]*)\]")
_VERBATIM = re.compile(r" \{(code|content)\}")


def constraint(
    kind: Constrain,
    grammar: ReplyGrammar,
    agents: Sequence[str],
    observations: Mapping[str, Observation],
) -> dict[str, Any]:
    """The fields to add to a request, so that its reply is a readable command per agent.

    Args:
        kind: ``admissible`` allows the commands that would be accepted now and nothing else, so no
            thoughts and no messages to others; ``reasoned`` allows one line of thought before
            them; ``grammar`` allows one line of thought, then any command of the form that one of
            the verbs at hand has.
        grammar: how the reply will be read.
        agents: whom it must command.
        observations: what they are told, of all of them.
    """
    if kind == "none":
        return {}
    lines = {agent: grammar.line(agents, agent) for agent in agents}
    if kind == "grammar":
        forms = {agent: observations[agent].forms for agent in agents}
        return {"structured_outputs": {"grammar": _ebnf(lines, forms)}}
    commands = {agent: observations[agent].admissible for agent in agents}
    if kind == "reasoned":
        return {"structured_outputs": {"regex": _THOUGHT + _regex(lines, commands)}}
    if len(agents) == 1:
        (agent,) = agents
        return {"structured_outputs": {"choice": [lines[agent] + c for c in commands[agent]]}}
    return {"structured_outputs": {"regex": _regex(lines, commands)}}


def _regex(lines: Mapping[str, str], commands: Mapping[str, Sequence[str]]) -> str:
    """One line per agent, each with one of its commands."""
    return r"\n".join(
        f"{re.escape(line)}({'|'.join(map(re.escape, commands[agent]))})"
        for agent, line in lines.items()
    )


def _ebnf(lines: Mapping[str, str], forms: Mapping[str, Sequence[str]]) -> str:
    """A grammar in the notation of llama.cpp, which xgrammar and guidance read too."""
    rules = [r"root ::= thought? " + r' "\n" '.join(f"line{i}" for i in range(len(lines)))]
    for number, (agent, line) in enumerate(lines.items()):
        rules.append(f"line{number} ::= {_quoted(line)} ({_either(forms[agent])})")
    return "\n".join(rules) + _TERMINALS


def _either(forms: Sequence[str]) -> str:
    """`PLACE {target} ...` as literals and the names of terminals, what is in brackets optional."""
    return " | ".join(map(_form, dict.fromkeys(forms)))


def _form(form: str) -> str:
    """One form; the blank before a bracket goes with what is in it."""
    found = []
    for i, part in enumerate(_OPTIONAL.split(form)):
        if i % 2 == 0:
            found += _words(part)
        else:
            ways = [" ".join(_words(f" {way.strip()}")) for way in part.split("|")]
            found.append(f"({' | '.join(ways)})?")
    return " ".join(found)


def _words(text: str) -> list[str]:
    """Literals and the names of terminals; a text of any form begins on a line of its own."""
    parts = _SLOT.split(_VERBATIM.sub(r"{\1}", text))
    return [_quoted(part) if i % 2 == 0 else part for i, part in enumerate(parts) if part]


def _quoted(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'
