"""Every fault of a model becomes a sentence or an answer that can be used, in time."""

import asyncio
import time

import pytest

from appliance.config import ModelSettings
from appliance.core.errors import ModelError
from appliance.inference.client import ModelClient
from appliance.inference.messages import image_part
from appliance.inference.scripted import Fault, Offer, ScriptedReply, serving

HELLO = [{"role": "user", "content": "Say hello, please."}]
SCHEMA = {"type": "object", "properties": {"word": {"type": "string"}}, "required": ["word"]}
PNG = b"\x89PNG and so on"


async def said(fault, *, max_tokens=50, **more):
    with serving(
        lambda asked: ScriptedReply(text='{"word": "hello"}', fault=fault, **more)
    ) as model:
        async with ModelClient(ModelSettings(endpoint=model.url, timeout_s=8)) as client:
            return await client.ask(HELLO, schema=SCHEMA, max_tokens=max_tokens)


async def test_without_a_fault_it_is_an_object():
    answer = await said(Fault.NONE)
    assert (answer.parsed, answer.finish_reason) == ({"word": "hello"}, "stop")


@pytest.mark.parametrize("fault", [Fault.PROSE, Fault.WRONG])
async def test_prose_and_nonsense_are_answers(fault):
    answer = await said(fault)
    assert answer.text
    assert answer.parsed is None or "word" not in answer.parsed
    assert answer.finish_reason == "stop"


async def test_a_truncated_answer_says_that_it_is_not_whole():
    answer = await said(Fault.TRUNCATED)
    assert (answer.text, answer.parsed, answer.finish_reason) == ('{"word":', None, "length")


@pytest.mark.parametrize("text", ['```json\n{"word": "hi"}\n```', '```\n{"word": "hi"}\n\n```\n'])
async def test_json_in_a_fence_is_json(text):
    with serving([text]) as model:
        async with ModelClient(ModelSettings(endpoint=model.url)) as client:
            answer = await client.ask(HELLO, schema=SCHEMA, max_tokens=50)
    assert answer.parsed == {"word": "hi"}


async def test_an_endpoint_that_knows_no_schemas_is_asked_without():
    refusal = '{"error": {"message": "response_format.type json_schema is not supported"}}'
    lines = [ScriptedReply(status=400, body=refusal), '{"word": "hi"}', '{"word": "ho"}']
    with serving(lines) as model:
        async with ModelClient(ModelSettings(endpoint=model.url)) as client:
            first = await client.ask(HELLO, schema=SCHEMA, max_tokens=50)
            second = await client.ask(HELLO, schema=SCHEMA, max_tokens=50)
        assert [each.schema for each in model.requests] == [SCHEMA, None, None]
    assert (first.parsed, second.parsed) == ({"word": "hi"}, {"word": "ho"})


async def test_200_kb_are_cut_to_what_was_asked_for():
    answer = await said(Fault.HUGE, max_tokens=100)
    assert len(answer.text) == 2000
    assert (answer.parsed, answer.finish_reason) == (None, "length")


async def test_an_answer_without_end_is_not_read_to_its_end():
    with serving([ScriptedReply(body="[" * 5_000_000)] * 3) as model:
        async with ModelClient(ModelSettings(endpoint=model.url)) as client:
            with pytest.raises(ModelError, match="more than 4,000,000 bytes"):
                await client.ask(HELLO, max_tokens=5)


@pytest.mark.parametrize(
    ("fault", "why"),
    [
        (Fault.RATE_LIMITED, "is asked too often"),
        (Fault.ERROR, "has a fault of its own"),
        (Fault.CUT_OFF, "cannot be reached|cannot be read"),
        (Fault.GONE, "cannot be reached"),
    ],
)
async def test_a_failure_is_a_sentence(fault, why):
    with pytest.raises(ModelError, match=why):
        await said(fault)


async def test_who_is_asked_too_often_says_when_to_ask_again():
    lines = [ScriptedReply(fault=Fault.RATE_LIMITED, retry_after_s=0.3), "Hello."]
    with serving(lines) as model:
        async with ModelClient(ModelSettings(endpoint=model.url)) as client:
            began = time.monotonic()
            assert (await client.ask(HELLO, max_tokens=5)).text == "Hello."
            assert time.monotonic() - began >= 0.3


async def test_who_asks_us_to_wait_too_long_is_named():
    with serving([ScriptedReply(fault=Fault.RATE_LIMITED, retry_after_s=30)] * 3) as model:
        async with ModelClient(ModelSettings(endpoint=model.url, timeout_s=0.3)) as client:
            with pytest.raises(ModelError, match=r"too often, and did not answer within 0\.3 s"):
                await client.ask(HELLO, max_tokens=5)


async def test_a_slow_one_is_left_in_time():
    with serving([ScriptedReply(fault=Fault.SLOW, delay_s=1.0)] * 9) as model:
        async with ModelClient(ModelSettings(endpoint=model.url, timeout_s=0.2)) as client:
            began = time.monotonic()
            with pytest.raises(ModelError, match=r"did not answer within 0\.2 s"):
                await client.ask(HELLO, max_tokens=5)
            assert time.monotonic() - began < 0.9


async def test_a_question_that_is_cancelled_ends_at_once():
    with serving([ScriptedReply(delay_s=2.0)]) as model:
        async with ModelClient(ModelSettings(endpoint=model.url)) as client:
            question = asyncio.create_task(client.ask(HELLO, max_tokens=5))
            async with asyncio.timeout(20):
                while not model.requests:
                    await asyncio.sleep(0.01)
            began = time.monotonic()
            question.cancel()
            with pytest.raises(asyncio.CancelledError):
                await question
            assert time.monotonic() - began < 0.9


async def test_sixteen_questions_do_not_wait_for_a_slow_one():
    def answer(asked):
        return ScriptedReply(text=asked.last, delay_s=30 if asked.last == "slow" else 0.0)

    with serving(answer) as model:
        async with ModelClient(ModelSettings(endpoint=model.url)) as client, asyncio.timeout(20):

            async def ask(text):
                found = await client.ask([{"role": "user", "content": text}], max_tokens=5)
                return found.text

            slow = asyncio.create_task(ask("slow"))
            others = [str(number) for number in range(15)]
            assert await asyncio.gather(*map(ask, others)) == others
            assert not slow.done()
            slow.cancel()


async def test_a_picture_arrives_as_it_was():
    content = [{"type": "text", "text": "What is this?"}, image_part(PNG)]
    with serving(["A page."]) as model:
        async with ModelClient(ModelSettings(endpoint=model.url)) as client:
            await client.ask([{"role": "user", "content": content}], max_tokens=5, temperature=0.7)
        (asked,) = model.requests
    assert asked.images == (PNG,)
    assert asked.text == "What is this?"
    assert asked.temperature == 0.7


@pytest.mark.parametrize("takes_images", [True, False])
async def test_what_is_served_is_found_out_once(takes_images):
    offer = Offer(models=("a", "b"), context_tokens=512, takes_images=takes_images)
    with serving(["Hello."], offer) as model:
        async with ModelClient(ModelSettings(endpoint=model.url)) as client:
            first, again = await asyncio.gather(client.served(), client.served())
            other = await client.served("b")
        assert model.requests == []  # a probe is no line of the script
    assert first is again
    assert (first.name, first.context_tokens, first.takes_images) == ("a", 512, takes_images)
    assert other.name == "b"


async def test_settings_say_what_is_served_where_they_do():
    with serving([]) as model:
        settings = ModelSettings(
            endpoint=model.url, name="scripted", context_tokens=1000, takes_images="no"
        )
        async with ModelClient(settings) as client:
            served = await client.served()
    assert (served.context_tokens, served.takes_images) == (1000, False)


async def test_an_adapter_is_asked_for_by_name(tmp_path):
    (tmp_path / "adapter_config.json").write_text("{}")
    with serving(lambda asked: asked.model) as model:
        model.state.adapters["night"] = tmp_path
        async with ModelClient(ModelSettings(endpoint=model.url)) as client:
            assert (await client.ask(HELLO, max_tokens=5, model="night")).text == "night"
            assert (await client.served("night")).context_tokens == 32768
            assert await client.names() == ("scripted", "night")
            with pytest.raises(ModelError, match="`noon` does not exist"):
                await client.ask(HELLO, max_tokens=5, model="noon")


@pytest.mark.parametrize(("has_tokenizer", "least", "most"), [(True, 3, 3), (False, 4, 12)])
async def test_tokens_are_counted_there_or_estimated(has_tokenizer, least, most):
    with serving([], Offer(has_tokenizer=has_tokenizer)) as model:
        async with ModelClient(ModelSettings(endpoint=model.url)) as client:
            assert least <= await client.count_tokens(HELLO) <= most
            assert least <= await client.count_tokens("Say hello, please.") <= most
            picture = [{"role": "user", "content": [image_part(PNG)]}]
            assert await client.count_tokens(picture) > 1000
