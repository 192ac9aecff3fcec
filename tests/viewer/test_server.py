"""The page served: to this machine only, with a policy, and nothing but what it needs."""

import http.client
import json
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from urllib.parse import urlencode
from urllib.request import urlopen

import pytest

from earsim.viewer.run import Run
from earsim.viewer.server import ViewerServer


@pytest.fixture
def server(won) -> Iterator[ViewerServer]:
    with ViewerServer([Run(won)]) as made:
        thread = threading.Thread(target=made.serve_forever)
        thread.start()
        yield made
        made.shutdown()
        thread.join()


def ask(server: ViewerServer, path: str, method: str = "GET", **headers: str):
    connection = http.client.HTTPConnection("127.0.0.1", server.server_port, timeout=30)
    connection.request(method, path, headers=headers)
    answer = connection.getresponse()
    answer.text = answer.read().decode()
    connection.close()
    return answer


@pytest.mark.slow
def test_it_listens_to_this_machine_only(server):
    assert server.server_address[0] == "127.0.0.1"
    assert server.address == f"http://127.0.0.1:{server.server_port}/"


@pytest.mark.slow
def test_the_page_may_run_its_own_script_and_nothing_else(server):
    answer = ask(server, "/")
    policy = answer.headers["Content-Security-Policy"]
    assert "default-src 'none'" in policy
    assert "script-src 'sha256-" in policy
    assert "unsafe" not in policy
    assert "http" not in policy
    assert answer.headers["X-Content-Type-Options"] == "nosniff"


@pytest.mark.slow
def test_the_list_and_an_episode_come_as_data(server):
    listed = json.loads(ask(server, "/listing").text)
    episode = dict(zip(listed["columns"], listed["rows"][0], strict=True))["episode"]
    found = json.loads(ask(server, "/episode?" + urlencode({"run": 0, "episode": episode})).text)
    assert found["row"]["episode"] == episode
    assert found["moments"]
    assert json.loads(ask(server, "/state").text) == [[2, 2, 0]]
    assert len(json.loads(ask(server, "/overview").text)["subjects"]) == 1
    assert json.loads(ask(server, "/comparisons").text)["pairs"] == []
    texts = json.loads(ask(server, "/texts?run=0&after=").text)
    assert [id for id, _ in texts] == [row[1] for row in listed["rows"]]


@pytest.mark.slow
@pytest.mark.parametrize(
    "path",
    [
        "/episode?run=0&episode=nobody",
        "/episode?run=1&episode=x",
        "/comparison?first=0&second=1",
        "/episode?run=-1&episode=x",
        "/episode?run=%C2%B2&episode=x",
        "/episode",
        "/texts?run=7&after=",
        "/../../etc/passwd",
        "/manifest.json",
    ],
)
def test_what_is_not_there_is_not_found(server, path):
    answer = ask(server, path)
    assert answer.status == 404
    assert answer.headers["Content-Type"].startswith("text/plain")


@pytest.mark.slow
def test_a_foreign_name_is_refused(server):
    assert ask(server, "/listing", Host="evil.example").status == 403
    assert ask(server, "/listing", Host=f"localhost:{server.server_port}").status == 200


def write(server: ViewerServer, body: str, path: str = "/notes?run=0", **headers: str):
    own = {
        "Origin": server.address.rstrip("/"),
        "Authorization": f"Bearer {server.token}",
        **headers,
    }
    connection = http.client.HTTPConnection("127.0.0.1", server.server_port, timeout=30)
    connection.request("POST", path, body, {k: v for k, v in own.items() if v})
    answer = connection.getresponse()
    answer.text = answer.read().decode()
    connection.close()
    return answer


def note(server: ViewerServer, **changes) -> str:
    episode = json.loads(ask(server, "/listing").text)["rows"][0][1]
    return json.dumps({"episode": episode, "annotator": "Ada", "labels": ["lost"], **changes})


@pytest.mark.slow
def test_nothing_but_annotations_is_written(server):
    assert write(server, "{}", "/listing").status == 404
    assert ask(server, "/notes", method="PUT").status == 501


@pytest.mark.slow
def test_an_annotation_lies_beside_the_run_and_is_read_again(server, won):
    answer = write(server, note(server, decision=1, note="Why <b>here</b>?"))
    assert answer.status == 200
    (found,) = json.loads(ask(server, "/notes").text)["annotations"]
    assert json.loads(answer.text)["annotations"] == [found]
    assert (found["run"], found["decision"], found["labels"]) == (0, 1, ["lost"])
    line = json.loads((won / "annotations.jsonl").read_text())
    assert (line["schema"], line["note"]) == ("earsim.annotation/1", "Why <b>here</b>?")
    assert json.loads(ask(server, "/state").text)[0][2] > 0


@pytest.mark.slow
@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"Authorization": ""}, 401),
        ({"Authorization": "Bearer guessed"}, 401),
        ({"Origin": ""}, 403),
        ({"Origin": "http://evil.example"}, 403),
        ({"Origin": "null"}, 403),
        ({"Host": "evil.example"}, 403),
        ({"Content-Length": "99999999"}, 413),
        ({"Content-Length": "-1"}, 413),
    ],
)
def test_nobody_else_writes(server, won, headers, status):
    assert write(server, note(server), **headers).status == status
    assert not (won / "annotations.jsonl").exists()


@pytest.mark.slow
@pytest.mark.parametrize(
    "changes",
    [
        {"episode": "nobody"},
        {"decision": 999},
        {"decision": -1},
        {"annotator": ""},
        {"labels": ["\x1b[31m"]},
        {"labels": [f"label {k}" for k in range(21)]},
        {"note": "x" * 4001},
        {"more": 1},
    ],
)
def test_what_is_no_annotation_is_refused_in_words(server, won, changes):
    answer = write(server, note(server, **changes))
    assert answer.status == 400
    assert "the annotation" in answer.text
    assert not (won / "annotations.jsonl").exists()
    assert write(server, "[" * 5000).status == 400


@pytest.mark.slow
def test_the_token_is_in_the_address_alone(server):
    assert server.token in server.link.partition("#")[2]
    assert server.token not in ask(server, "/").text


@pytest.mark.slow
def test_the_command_says_where_and_ends_on_ctrl_c(won):
    command = [sys.executable, "-m", "earsim", "view", str(won)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as at:
        address = at.stdout.readline().split()[0]
        with urlopen(address, timeout=30) as answer:
            assert "earsim view" in answer.read().decode()
        at.send_signal(signal.SIGINT)
        rest, complaints = at.communicate(timeout=30)
    assert (at.returncode, rest, complaints) == (0, "", "")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("number", "code"),
    [
        (signal.SIGTERM, 143),
        pytest.param(signal.SIGHUP, 129, marks=pytest.mark.slow),  # taken as SIGTERM is
    ],
)
def test_other_signals_that_end_it_are_in_the_exit_code(won, number, code):
    command = [sys.executable, "-m", "earsim", "view", str(won)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as at:
        at.stdout.readline()
        at.send_signal(number)
        at.communicate(timeout=30)
    assert at.returncode == code


@pytest.mark.slow
def test_a_port_that_is_taken_is_said(server, won):
    with pytest.raises(OSError, match="in use"):
        ViewerServer([Run(won)], port=server.server_port)
