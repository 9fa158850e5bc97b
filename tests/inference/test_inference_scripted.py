"""The scripted model speaks the protocol as vLLM does."""

import contextlib
import json
import os
import signal
import subprocess
import sys

import httpx
import openai
import pytest

from appliance.core.errors import ConfigError
from appliance.inference.scripted import (
    Fault,
    Offer,
    Scenario,
    ScriptedReply,
    ToolCall,
    serving,
)
from tests.inference.scripted_program import PROGRAM

HELLO = [{"role": "user", "content": "Say hello, please."}]

SCENARIO = r"""
models: [tiny]
context_tokens: 512
lines:
  - when: {probe: true}
    times: 1
    fault: error
  - when: {says: [Disks, create], wants: action}
    find: {button: '\[(\d+)\] button "Create disk"', name: 'disk-\w+'}
    reply: {action: click, element: "${button}", why: "for ${name}"}
  - when: {last: hello, turn: 1}
    times: 1
    reply: Once.
  - when: {model: night, images: true}
    reply: A picture.
  - when: {says: tools}
    tool_calls: [{name: look, arguments: {at: here}}]
otherwise:
  fault: prose
"""


@contextlib.contextmanager
def asking(script, offer=None):
    with (
        serving(script, offer) as model,
        openai.OpenAI(base_url=model.url, api_key="none", max_retries=0) as api,
    ):

        def ask(messages=HELLO, **more):
            more = {"model": "scripted", "max_tokens": 50, **more}
            return api.chat.completions.create(messages=messages, **more)

        yield ask


@contextlib.contextmanager
def extras(offer):
    with serving([], offer) as model, httpx.Client(base_url=model.url[:-3]) as client:
        yield client


def words(chunks):
    return [c.choices[0].delta.content for c in chunks if c.choices and c.choices[0].delta.content]


def test_a_stream_is_the_same_answer_in_pieces():
    with asking(["Hello there,\ngood  sir."]) as ask:
        chunks = list(ask(stream=True, stream_options={"include_usage": True}))
    assert "".join(words(chunks)) == "Hello there,\ngood  sir."
    assert len(words(chunks)) > 3
    assert chunks[-2].choices[0].finish_reason == "stop"
    assert chunks[-1].usage.completion_tokens == 4


def test_a_stream_ends_in_mid_sentence():
    heard = []
    with asking([ScriptedReply(text="one two three four five six", fault=Fault.CUT_OFF)]) as ask:  # noqa: SIM117
        with pytest.raises(openai.APIConnectionError):
            heard.extend(words([chunk]) for chunk in ask(stream=True))


def test_tools_are_called():
    tool = {"type": "function", "function": {"name": "look", "parameters": {}}}
    lines = [ScriptedReply(tool_calls=(ToolCall(name="look", arguments='{"at": 1}'),))] * 2
    with asking(lines) as ask:
        whole = ask(tools=[tool]).choices[0]
        pieces = list(ask(tools=[tool], stream=True))
    assert whole.finish_reason == "tool_calls"
    assert whole.message.tool_calls[0].function.arguments == '{"at": 1}'
    assert pieces[-2].choices[0].delta.tool_calls[0].function.name == "look"


def test_what_a_server_like_vllm_refuses():
    image = {"type": "image_url", "image_url": {"url": "data:image/png;base64,AAAA"}}
    offer = Offer(context_tokens=5, takes_images=False, key="k-1")
    with serving([], offer) as model:

        def refusal(text, headers, **more):
            sent = {"model": "scripted", "messages": [{"role": "user", "content": text}], **more}
            answer = httpx.post(f"{model.url}/chat/completions", json=sent, headers=headers)
            return answer.status_code, answer.json()["error"]["message"]

        key = {"authorization": "Bearer k-1"}
        assert refusal("Hello", {}) == (401, "Unauthorized")
        assert refusal("Hello", key, model="x") == (404, "The model `x` does not exist.")
        assert refusal([image], key) == (400, "scripted is not a multimodal model")
        status, said = refusal("one two three four five six", key)
        assert (status, "maximum context length is 5" in said) == (400, True)
        assert httpx.post(f"{model.url}/chat/completions", content="{").status_code == 400
        assert httpx.post(f"{model.url}/chat/completions", content="{}").status_code == 400


def test_adapters_come_and_go(tmp_path):
    (tmp_path / "adapter_config.json").write_text("{}")
    load, unload = "/v1/load_lora_adapter", "/v1/unload_lora_adapter"
    asked = {"lora_name": "night", "lora_path": str(tmp_path)}
    with extras(Offer()) as client:
        assert client.post(load, json={**asked, "lora_path": "/nowhere"}).status_code == 404
        assert client.post(load, json={"lora_name": "night"}).status_code == 400
        assert client.post(load, json=asked).status_code == 200
        assert client.post(load, json=asked).status_code == 400
        assert client.post(load, json={**asked, "load_inplace": True}).status_code == 200
        assert [each["id"] for each in client.get("/v1/models").json()["data"]][1:] == ["night"]
        assert client.post(unload, json=asked).status_code == 200
        assert client.post(unload, json=asked).status_code == 404
    with extras(Offer(can_load_adapters=False)) as client:
        assert client.post(load, json=asked).status_code == 404


def test_it_sleeps_and_wakes():
    sent = {"model": "scripted", "messages": HELLO, "max_tokens": 1}
    with extras(Offer()) as client:
        assert client.post("/sleep?level=2").status_code == 200
        assert client.get("/is_sleeping").json() == {"is_sleeping": True}
        assert client.post("/v1/chat/completions", json=sent).status_code == 503
        assert client.post("/wake_up").status_code == 200
        assert client.post("/v1/chat/completions", json=sent).status_code == 200
        assert "vllm:prompt_tokens_total" in client.get("/metrics").text
        assert client.get("/health").status_code == 200
        assert client.post("/nowhere").status_code == 404
    with extras(Offer(can_sleep=False)) as client:
        assert client.get("/is_sleeping").status_code == 404


def test_a_scenario_answers_by_what_is_asked(tmp_path):
    file = tmp_path / "scenario.yaml"
    file.write_text(SCENARIO)
    page = 'Disks\n[3] button "Create disk"\n[17] button "Create disk"\ncreate disk-ab12'
    form = {
        "type": "json_schema",
        "json_schema": {"name": "x", "schema": {"properties": {"action": {}}}},
    }
    with asking(Scenario.load(file)) as ask:

        def say(text, **more):
            found = ask([{"role": "user", "content": text}], model="tiny", **more)
            return found.choices[0].message.content

        clicked = json.loads(say(page, response_format=form))
        assert clicked == {"action": "click", "element": 17, "why": "for disk-ab12"}
        assert say("HELLO") == "Once."
        assert say("HELLO").startswith("Certainly!")
        assert say(page).startswith("Certainly!")  # nobody wants an action
        with pytest.raises(openai.InternalServerError):
            say("Are you well?", max_tokens=1)
        assert say("Are you well?", max_tokens=1) == "Well."
        assert ask(model="tiny", messages=[{"role": "user", "content": "tools"}]).choices[
            0
        ].message.tool_calls[0].function.arguments == json.dumps({"at": "here"})


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("lines: [{reply: x, wehn: {}}]", "lines.0.wehn"),
        ("lines: [{find: {a: '('}}]", "no regular expression"),
        ("lines: [{fault: tired}]", "lines.0.fault"),
        ("[", "cannot read"),
        ("just text", "is no scenario"),
    ],
)
def test_a_file_that_is_no_scenario(tmp_path, text, why):
    file = tmp_path / "scenario.yaml"
    file.write_text(text)
    with pytest.raises(ConfigError, match=why):
        Scenario.load(file)


def test_a_question_that_no_line_answers_is_said(tmp_path):
    file = tmp_path / "empty.yaml"
    file.write_text("")
    with asking(Scenario.load(file)) as ask:  # noqa: SIM117
        with pytest.raises(
            openai.InternalServerError, match=r"empty\.yaml answers this.*Say hello"
        ):
            ask()


@contextlib.contextmanager
def program(*arguments, **variables):
    child = subprocess.Popen(
        [sys.executable, PROGRAM, *map(str, arguments)],
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, **variables},
    )
    try:
        yield child, child.stderr.readline()
    finally:
        child.kill()
        child.communicate()


def test_it_is_started_as_vllm_is(tmp_path):
    (tmp_path / "scripted.yaml").write_text("lines: [{when: {says: leave}, fault: gone}]")
    flags = (
        "--port 0 --served-model-name night --max-model-len 99 --dtype auto --enable-sleep-mode"
        f" --enable-lora --lora-modules owl={tmp_path}"
    )
    with program("serve", tmp_path, *flags.split(), VLLM_SERVER_DEV_MODE="1") as (child, line):
        url = line.split()[-1]
        model, adapter = httpx.get(f"{url}/models").json()["data"]
        assert (adapter["id"], adapter["parent"]) == ("owl", "night")
        assert (model["id"], model["max_model_len"]) == ("night", 99)
        assert httpx.get(f"{url[:-3]}/is_sleeping").status_code == 200
        assert httpx.post(f"{url}/load_lora_adapter", json={}).status_code == 404
        with pytest.raises(httpx.TransportError):
            leave = [{"role": "user", "content": "leave"}]
            httpx.post(f"{url}/chat/completions", json={"model": "night", "messages": leave})
        assert child.wait(20) == 1


def test_a_signal_ends_it_and_a_failing_start_says_why(tmp_path):
    file = tmp_path / "scenario.yaml"
    file.write_text("{}")
    with program(file, "--port", "0") as (child, line):
        assert "http://127.0.0.1:" in line
        child.send_signal(signal.SIGTERM)
        assert child.wait(20) == 0
    file.write_text("start: {fails: CUDA out of memory}")
    with program(file) as (child, line):
        assert "CUDA out of memory" in line
        assert child.wait(20) == 1
