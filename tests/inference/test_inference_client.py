import json
import logging
import socket

import pytest

from appliance.config import ModelSettings
from appliance.core.errors import AttemptError, ModelError
from appliance.inference.client import ModelClient
from appliance.inference.scripted import NAME, Fault, ScriptedReply, serving

HELLO = [{"role": "user", "content": "Say hello, please."}]
SCHEMA = {
    "type": "object",
    "properties": {"word": {"type": "string"}},
    "required": ["word"],
    "additionalProperties": False,
}


async def ask(script, *, schema=None, **settings):
    with serving(script) as model:
        async with ModelClient(ModelSettings(endpoint=model.url, **settings)) as client:
            return model, await client.ask(HELLO, schema=schema, max_tokens=50)


async def refusal(script, **settings):
    with pytest.raises(ModelError) as caught:
        await ask(script, **settings)
    return str(caught.value)


async def test_an_answer_with_what_it_took():
    model, answer = await ask(["Hello there."])
    assert (answer.text, answer.parsed) == ("Hello there.", None)
    assert (answer.tokens_in, answer.tokens_out) == (3, 2)
    assert 0 < answer.took_s < 10
    assert model.requests[0].messages[0]["content"] == "Say hello, please."
    assert model.requests[0].max_tokens == 50


async def test_an_answer_that_keeps_to_a_schema_is_parsed():
    model, answer = await ask(['{"word": "héllo"}'], schema=SCHEMA)
    assert answer.parsed == {"word": "héllo"}
    assert model.requests[0].schema == SCHEMA


@pytest.mark.parametrize("text", ["Hello!", "[1]", '{"word": ', "", "[" * 900])
async def test_an_answer_that_does_not_is_not_parsed(text):
    _, answer = await ask([text], schema=SCHEMA)
    assert (answer.parsed, answer.text) == (None, text)


async def test_nothing_is_sent_but_the_question(monkeypatch):
    for name in ("OPENAI_ORG_ID", "OPENAI_PROJECT_ID", "OPENAI_API_KEY", "OPENAI_ADMIN_KEY"):
        monkeypatch.setenv(name, "of-somebody-else")
    monkeypatch.setenv("OPENAI_CUSTOM_HEADERS", "X-Spy: of-somebody-else")
    model, _ = await ask(["Hello."])
    headers = model.requests[0].headers
    assert set(headers) == {
        "accept", "authorization", "connection", "content-length", "content-type", "host",
    }  # fmt: skip
    assert "of-somebody-else" not in json.dumps(dict(headers))


async def test_proxies_of_the_environment_are_not_asked(monkeypatch):
    for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    _, answer = await ask(["Hello."])
    assert answer.text == "Hello."


async def test_the_key_comes_from_a_variable_or_a_file_and_is_never_said(
    monkeypatch, tmp_path, caplog
):
    caplog.set_level(logging.DEBUG)
    monkeypatch.setenv("MODEL_KEY", "k-secret-1")
    model, _ = await ask(["Hello."], key_env="MODEL_KEY")
    assert model.requests[0].headers["authorization"] == "Bearer k-secret-1"
    file = tmp_path / "key"
    file.write_text("k-secret-2\n")
    model, _ = await ask(["Hello."], key_file=file)
    assert model.requests[0].headers["authorization"] == "Bearer k-secret-2"
    said = await refusal([ScriptedReply(status=401)], key_file=file)
    assert "refuses the key" in said
    assert "k-secret" not in said + caplog.text


@pytest.mark.parametrize(
    ("content", "why"), [("", "is empty"), ("\n", "is empty"), ("päss\n", "no key has")]
)
async def test_a_key_that_is_none(tmp_path, content, why):
    file = tmp_path / "key"
    file.write_text(content)
    assert why in await refusal([], key_file=file)


async def test_a_key_that_is_not_there(tmp_path):
    assert "cannot read the model's key" in await refusal([], key_file=tmp_path / "none")
    assert "MODEL_KEY_THAT_IS_NOT_SET" in await refusal([], key_env="MODEL_KEY_THAT_IS_NOT_SET")


@pytest.mark.parametrize(
    ("status", "why"),
    [
        (400, "refuses the question (HTTP 400: as the script says)"),
        (401, "refuses the key; look at model.key_env"),
        (403, "refuses the key"),
        (404, "has no such model or path"),
        (422, "refuses the question"),
        (307, "refuses the question"),
    ],
)
async def test_a_refusal_is_said_and_not_tried_again(status, why):
    with serving(lambda asked: ScriptedReply(status=status)) as model:
        with pytest.raises(ModelError) as caught:
            async with ModelClient(ModelSettings(endpoint=model.url)) as client:
                await client.ask(HELLO, max_tokens=5)
        assert why in str(caught.value)
        assert model.url in str(caught.value)
        assert len(model.requests) == 1


@pytest.mark.parametrize(
    ("reply", "why"),
    [
        (ScriptedReply(status=429), "is asked too often"),
        (ScriptedReply(status=500), "has a fault of its own"),
        (ScriptedReply(status=503, body="<h1>Down</h1>"), "HTTP 503"),
        (ScriptedReply(fault=Fault.HANG_UP), "cannot be reached"),
    ],
)
async def test_what_may_pass_is_tried_three_times(reply, why):
    with serving(lambda asked: reply) as model:
        with pytest.raises(ModelError) as caught:
            async with ModelClient(ModelSettings(endpoint=model.url)) as client:
                await client.ask(HELLO, max_tokens=5)
        assert why in str(caught.value)
        assert len(model.requests) == 3
    _, answer = await ask([reply, "Hello."])
    assert answer.text == "Hello."


async def test_no_longer_than_the_time_limit_all_in_all():
    said = await refusal([ScriptedReply(delay_s=0.6)] * 3, timeout_s=0.3)
    assert "did not answer within 0.3 s" in said


@pytest.mark.parametrize("body", ["<html>Log in</html>", "{", "[]", "{}", '{"choices": []}'])
async def test_what_is_no_chat_completion(body):
    said = await refusal([ScriptedReply(body=body)])
    assert "answered what" in said


async def test_nobody_there():
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{taken.getsockname()[1]}/v1"
        with pytest.raises(ModelError, match=r"cannot be reached: .*Is it running\?"):
            async with ModelClient(ModelSettings(endpoint=url)) as client:
                await client.ask(HELLO, max_tokens=5)


@pytest.mark.parametrize("endpoint", ["", "localhost:8000/v1", "http://", "http://[::"])
async def test_an_address_that_is_none(endpoint):
    with pytest.raises(ModelError):
        await ModelClient(ModelSettings(endpoint=endpoint)).ask(HELLO, max_tokens=5)


async def test_the_first_that_is_served_is_asked_for_once_by_name():
    with serving(["One.", "Two."]) as model:
        async with ModelClient(ModelSettings(endpoint=model.url)) as client:
            assert await client.names() == (NAME,)
            assert (await client.ask(HELLO, max_tokens=5)).text == "One."
            assert (await client.ask(HELLO, max_tokens=5)).text == "Two."


async def test_a_script_that_is_over_refuses():
    assert "the script is over" in await refusal([])


def test_it_is_a_failure_at_a_boundary():
    assert issubclass(ModelError, AttemptError)
    assert ModelError.boundary == "model"
