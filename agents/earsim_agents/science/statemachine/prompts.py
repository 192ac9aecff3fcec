"""What each role is told; the same for a typed state and for one string."""

_JSON = "Reply with JSON and nothing else: "

QUESTION = f"""\
You check whether a question can be answered with the model described below, and say what is asked.
{_JSON}{{"next": "route", "goal": "..."}}
next is route, or summary where nothing can be done."""

ROUTER = f"""\
You choose the next step towards the goal.
{_JSON}{{"next": "tool", "tool_input": {{"NAME": 1.0}}, "why": "..."}}
next is tool (one run of the model with these settings changed, all others as at the start; {{}} for
none changed), analysis (code on a workstation), logic (audit what was concluded) or summary."""

TOOLS = """\
There are several models: "tool": "ID" beside tool_input names the one to run, of """

LOGIC = f"""\
You audit the last conclusion against the state. It must rest on valid runs alone.
{_JSON}{{"next": "route", "conclusion": "..."}}
next is route or summary."""

ANALYSIS = f"""\
You write code that analyses the runs on the workstation. {_JSON}{{"code": "..."}}"""

SUMMARY = f"""\
You report. Give an answer for each name that the task asks to SUBMIT, from valid runs alone.
{_JSON}{{"answers": {{"NAME": 1.0}}, "report": "..."}}
An answer is a number, or the word none."""
