"""Reading commands from replies: what is read, what is refused, and that nothing is guessed."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from earsim_agents.replies import GRAMMARS
from earsim_agents.replies.thinking import split_thinking
from earsim_agents.scripted_server.script import BAD_REPLIES

STRICT = GRAMMARS["strict"]
BENCH = GRAMMARS["ear-bench"]
ONE = ("ada",)
TWO = ("ada", "ben")


@pytest.mark.parametrize(
    ("reply", "command"),
    [
        ("Action: GOTO kitchen", "GOTO kitchen"),
        ("I should look first.\n\nAction: EXPLORE\n", "EXPLORE"),
        ("  action :  GOTO kitchen  ", "GOTO kitchen"),
        ("**Action:** GOTO kitchen", "GOTO kitchen"),
        ("**Action: GOTO kitchen**", "GOTO kitchen"),
        ("Action: `GOTO kitchen`", "GOTO kitchen"),
        ("**Action:** `GOTO kitchen`", "GOTO kitchen"),
        ("**Action: `GOTO kitchen`**", "GOTO kitchen"),
        ("> - Action: GOTO kitchen", "GOTO kitchen"),
        ("Action ada: EXPLORE", "EXPLORE"),
        ("Action: SAY meet me: at ten.", "SAY meet me: at ten."),
        ("Actions speak louder.\nAction: EXPLORE", "EXPLORE"),
        ("Action: EXPLORE\r\n", "EXPLORE"),
        ("", None),
        ("EXPLORE", None),
        ("Action:", None),
        ("Action: \nAction: EXPLORE", None),
        ("Action: EXPLORE\nAction: EXPLORE", None),
        ("Action ben: EXPLORE", None),
        ("The action: EXPLORE", None),
        ("Action EXPLORE", None),
        (None, None),
    ],
)
def test_strict_reads_one_marked_line(reply, command):
    assert STRICT.read(reply, ONE) == (None if command is None else {"ada": command})


@pytest.mark.parametrize(
    ("reply", "commands"),
    [
        ("Action ada: EXPLORE\nAction ben: WAIT", {"ada": "EXPLORE", "ben": "WAIT"}),
        ("Action ben: WAIT\nso\n**Action** ada: A", {"ada": "A", "ben": "WAIT"}),
        ("Action ada: EXPLORE", None),
        ("Action: EXPLORE\nAction ben: WAIT", None),
        ("Action ada: EXPLORE\nAction ben: WAIT\nAction eve: WAIT", None),
        ("Action ada: EXPLORE\nAction ben: WAIT\nAction ben: WAIT", None),
        ("Action Ada: EXPLORE\nAction ben: WAIT", None),
    ],
)
def test_strict_reads_one_line_for_each_agent(reply, commands):
    assert STRICT.read(reply, TWO) == commands


def test_strict_gives_commands_in_the_order_of_agents():
    assert list(STRICT.read("Action ben: B\nAction ada: A", TWO)) == ["ada", "ben"]


def test_strict_does_not_read_a_line_that_was_cut_off():
    assert STRICT.read("Action: GOTO kit", ONE, cut=True) is None
    assert STRICT.read("Action: GOTO kitchen\n", ONE, cut=True) == {"ada": "GOTO kitchen"}
    assert STRICT.read("Action: GOTO kitchen\nand th", ONE, cut=True) == {"ada": "GOTO kitchen"}


@pytest.mark.parametrize(
    ("reply", "command"),
    [
        ("Thought: so\nAgent_1_Action: GOTO hall.", "GOTO hall"),
        ("Action: A\nAction: B", "A"),
        ("Action: \nthe last line!", "the last line!"),
        ("**Action:** GOTO hall", "**Action:** GOTO hall"),
        ("Agnet_1_Action: DONE 。", "DONE "),
        ("", ""),
    ],
)
def test_ear_bench_reads_one_agent_as_the_reference_does(reply, command):
    assert BENCH.read(reply, ONE) == {"ada": command}


@pytest.mark.parametrize(
    ("reply", "commands"),
    [
        ("Agent_1_Action: A\nAgent_2_Action: B.", {"ada": "A", "ben": "B"}),
        ("Agent_1_Action: A\nagent_1_action: C\nAgent_2_Action: B", {"ada": "C", "ben": "B"}),
        ("Agent_1_Action: A\nAgent_2_Action: B\nAgent_2_Action: .", {"ada": "A", "ben": "B"}),
        ("Agnet_1_Action: A\nAgent_2_Action: B", {"ada": "A", "ben": "B"}),
        ("Agent_1_Action: A\nAgnet_2_Action: B", None),
        ("Agent_1_Action: A", None),
        (None, None),
    ],
)
def test_ear_bench_reads_two_agents_as_the_reference_does(reply, commands):
    assert BENCH.read(reply, TWO) == commands


@pytest.mark.parametrize("name", GRAMMARS)
@pytest.mark.parametrize("agents", [ONE, TWO])
def test_a_grammar_reads_what_it_asks_for(name, agents):
    grammar = GRAMMARS[name]
    reply = "\n".join(grammar.line(agents, agent) + f"GOTO {agent}" for agent in agents)
    assert grammar.read(reply, agents) == {agent: f"GOTO {agent}" for agent in agents}
    for agent in agents[:1]:
        assert grammar.line(agents, agent).split(":")[0].split()[0] in grammar.instructions(
            several=len(agents) > 1
        )


@pytest.mark.parametrize("name", GRAMMARS)
@given(reply=st.text() | st.sampled_from(BAD_REPLIES), agents=st.sampled_from([ONE, TWO]))
def test_any_text_is_read_or_refused(name, reply, agents):
    commands = GRAMMARS[name].read(reply, agents)
    assert commands is None or list(commands) == list(agents)
    if commands is not None:
        assert all(command in reply for command in commands.values())


@pytest.mark.parametrize(
    ("content", "field", "reply", "reasoning"),
    [
        ("Action: A", None, "Action: A", None),
        ("Action: A", "hm", "Action: A", "hm"),
        ("<think>hm\nAction: B</think>\n\nAction: A", None, "Action: A", "hm\nAction: B"),
        ("hm\n</think>\nAction: A", None, "Action: A", "hm"),
        ("<think>hm</think>x<think>so</think>Action: A", None, "Action: A", "hmxso"),
        ("<think>Action: A", None, None, "Action: A"),
        ("I <think> so. Action: A", None, "I <think> so. Action: A", None),
        (None, "hm", None, "hm"),
        ("", None, "", None),
    ],
)
def test_thoughts_are_told_from_the_answer(content, field, reply, reasoning):
    assert split_thinking(content, field) == (reply, reasoning)


@pytest.mark.parametrize(
    ("reply", "agents", "said"),
    [
        (None, ONE, "There was no text in it."),
        ("", ONE, "There was no text in it."),
        ("EXPLORE", ONE, "No line of it begins with 'Action:'."),
        ("Action:", ONE, "Line 1, 'Action:', gives no command."),
        ("Action: A\nAction: B", ONE, "Line 2, 'Action: B', is a second command."),
        ("Action ben: A", ONE, "Line 1, 'Action ben: A', names 'ben', who takes no command now."),
        ("Action ada: A", TWO, "It has no command line for ben, so nobody acted."),
        ("Action: A", TWO, "Line 1, 'Action: A', does not say whose command it is."),
        ("Action ada: A\nAction ada: B", TWO, "Line 2, 'Action ada: B', is a second command for"),
        ("Action ada: \x1b[31m\u202eA\nAction ada: B", TWO, "Line 2, 'Action ada: B', is a second"),
    ],
)
def test_strict_says_which_line_is_at_fault(reply, agents, said):
    problem = STRICT.problem(reply, agents)
    assert problem.startswith(said)
    assert "Wanted: " in problem
    assert STRICT.read(reply, agents) is None


WITH_TEXTS = STRICT.bringing(["EXEC", "SAVE"])
CODE = "for i in range(2):\n    print(i)"


@pytest.mark.parametrize(
    ("reply", "agents", "commands"),
    [
        (f"So.\nAction: EXEC ws\n{CODE}\n", ONE, {"ada": f"EXEC ws\n{CODE}"}),
        (f"**Action:** `EXEC ws`\n\n{CODE}", ONE, {"ada": f"EXEC ws\n{CODE}"}),
        (f"Action: exec ws\n```python\n{CODE}\n```\nDone.", ONE, {"ada": f"exec ws\n{CODE}"}),
        (f"Action: EXEC ws\n```\n{CODE}", ONE, {"ada": f"EXEC ws\n{CODE}"}),
        ("Action: EXEC ws\nAction: int = 3", ONE, {"ada": "EXEC ws\nAction: int = 3"}),
        ("Action: EXEC ws\nMessage: x = 3", ONE, {"ada": "EXEC ws\nMessage: x = 3"}),
        ("Action: EXEC ws", ONE, {"ada": "EXEC ws\n"}),
        ("Action: EXEC ws\n```\nx\n```\nAction: WAIT", ONE, None),
        ("Action: GOTO ws\n```\nx\n```", ONE, {"ada": "GOTO ws"}),
        (
            f"Message ben: Go\nAction ada: EXEC ws\n{CODE}\nAction ben: WAIT",
            TWO,
            {"ada": f"EXEC ws\n{CODE}", "ben": "WAIT\nSAY Go"},
        ),
        (
            f"Action ben: WAIT\nAction ada: EXEC ws\n{CODE}",
            TWO,
            {"ada": f"EXEC ws\n{CODE}", "ben": "WAIT"},
        ),
    ],
)
def test_strict_reads_the_text_below_a_command(reply, agents, commands):
    assert WITH_TEXTS.read(reply, agents) == commands


def test_a_text_whose_end_was_cut_off_is_not_read():
    reply = f"Action: EXEC ws\n{CODE}"
    assert WITH_TEXTS.read(reply, ONE, cut=True) is None
    assert "cut off" in WITH_TEXTS.problem(reply, ONE, cut=True)
    fenced = f"Action: EXEC ws\n```\n{CODE}\n```\nand th"
    assert WITH_TEXTS.read(fenced, ONE, cut=True) == {"ada": f"EXEC ws\n{CODE}"}


def test_prompts_say_where_the_text_of_a_command_stands():
    told = WITH_TEXTS.instructions(several=False)
    assert "The text of EXEC and of SAVE stands on the lines below its command" in told
    assert STRICT.instructions(several=False) in told
    assert "of the next agent" in WITH_TEXTS.instructions(several=True)


def test_a_reply_that_was_cut_off_is_told_so():
    assert "cut off because it was too long" in STRICT.problem("Action: GOTO kit", ONE, cut=True)


@pytest.mark.parametrize("name", GRAMMARS)
@given(reply=st.text() | st.sampled_from([text for text in BAD_REPLIES if text]), cut=st.booleans())
def test_there_is_a_problem_exactly_where_nothing_is_read(name, reply, cut):
    for agents in (ONE, TWO):
        for texts in ((), ("A", "ACTION", "EXEC")):
            grammar = GRAMMARS[name].bringing(texts)
            read = grammar.read(reply, agents, cut=cut)
            problem = grammar.problem(reply, agents, cut=cut)
            assert bool(problem) == (read is None)
            assert "\n" not in problem
            assert len(problem) < 400


def test_what_is_said_beside_a_command_follows_it_after_a_line_break():
    strict = GRAMMARS["strict"]
    reply = """Message bo: that one is mine
    Message ada: I take the cup
    **Message ada:** you take the jug
    Message ghost: boo
    Action ada: GRAB cup
    Action bo: WAIT"""
    assert strict.read(reply, ("ada", "bo")) == {
        "ada": "GRAB cup\nSAY I take the cup you take the jug",
        "bo": "WAIT\nSAY that one is mine",
    }
    assert strict.read("Message: TELL cup\nAction: WAIT", ("ada",)) == {"ada": "WAIT\nTELL cup"}
    assert "Message" in strict.instructions(several=True, messages=True)
    assert "Message" not in strict.instructions(several=True)
