"""`/questions`: an attempt waits, somebody answers over REST, and nobody else does."""

import asyncio
import logging

import pytest

from appliance.core.people import Question, QuestionKind, QuestionState, Reply, ReplyKind
from appliance.server.parts import Service
from appliance.store.keys import Role

JPEG = b"\xff\xd8\xff" + bytes(40)
CODE = "739-204-one-time"


def question(kind: QuestionKind = QuestionKind.TAKE_OVER, **changes) -> Question:
    asked = {"wait_s": 30.0, "picture": JPEG, "step": "2"} | changes
    return Question(
        kind=kind,
        run_id="run-1",
        procedure_id="login/sign-in",
        text="Type the code of the second factor.",
        url="https://ann:pw@console.test/login?token=abc#f",
        **asked,
    )


@pytest.fixture
async def waiting(service: Service):
    """Asks, and gives the question's id and the attempt that waits."""
    tasks: list[asyncio.Task[Reply | None]] = []

    async def ask(asked: Question) -> tuple[str, asyncio.Task[Reply | None]]:
        people = service.engine.people
        known = {row.id for row in people.waiting()}
        task = asyncio.create_task(people.ask(asked))
        tasks.append(task)
        async with asyncio.timeout(10):
            while not (new := {row.id for row in people.waiting()} - known):
                await asyncio.sleep(0.01)
        return new.pop(), task

    yield ask
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)


async def test_an_answer_goes_to_the_attempt_and_stays_nowhere(
    asking, service: Service, waiting, caplog
):
    caplog.set_level(logging.DEBUG)
    operator = asking(Role.OPERATOR)
    id, attempt = await waiting(question())
    (listed,) = (await operator.get("/api/v1/questions?state=open")).json()["items"]
    assert listed["id"] == id
    assert listed["url"] == "https://console.test/login"
    assert listed["replies"] == ["type", "click", "done", "refuse"]
    picture = await operator.get(f"/api/v1/questions/{id}/picture")
    assert (picture.headers["content-type"], picture.content) == ("image/jpeg", JPEG)

    body, key = {"reply": "type", "text": CODE}, {"Idempotency-Key": "once"}
    answer = await operator.post(f"/api/v1/questions/{id}/answer", json=body, headers=key)
    assert answer.status_code == 200
    assert await attempt == Reply(kind=ReplyKind.TYPE, text=CODE, by="operator 0")
    told = answer.json()
    assert (told["state"], told["reply"], told["answered_by"]) == ("answered", "type", "operator 0")
    again = await operator.post(f"/api/v1/questions/{id}/answer", json=body, headers=key)
    assert (again.status_code, again.headers["idempotency-replayed"]) == (200, "true")
    assert again.json() == told
    other = body | {"text": "another"}
    wrong = await operator.post(f"/api/v1/questions/{id}/answer", json=other, headers=key)
    assert wrong.status_code == 422

    service.store.session.connection.execute("CHECKPOINT")
    files = [file for file in service.settings.data_dir.rglob("*") if file.is_file()]
    assert len(files) > 1
    for file in files:
        assert CODE.encode() not in file.read_bytes(), file
    assert CODE not in caplog.text + answer.text


async def test_not_even_a_hash_of_what_was_typed_can_be_tried(asking, service: Service, waiting):
    """Of six digits there are a million: whoever has the store tries them all in a second."""
    from hashlib import sha256

    operator = asking(Role.OPERATOR)
    id, _ = await waiting(question())
    path, body = f"/api/v1/questions/{id}/answer", b'{"reply":"type","text":"123456"}'
    headers = {"Idempotency-Key": "k", "Content-Type": "application/json"}
    assert (await operator.post(path, content=body, headers=headers)).status_code == 200
    with service.store.session.reading("test") as connection:
        rows = connection.execute("SELECT request_hash FROM answers").fetchall()
    ((kept,),) = rows
    assert kept != sha256(f"POST\n{path}\n\napplication/json\n".encode() + body).hexdigest()


async def test_the_first_answer_is_the_only_one(asking, waiting):
    ann, bob = asking(Role.OPERATOR), asking(Role.OPERATOR)
    id, attempt = await waiting(question(QuestionKind.CONSENT))
    answers = await asyncio.gather(
        *(
            who.post(f"/api/v1/questions/{id}/answer", json={"reply": reply})
            for who, reply in ((ann, "allow"), (bob, "refuse"))
        )
    )
    assert sorted(answer.status_code for answer in answers) == [200, 409]
    (done,) = [answer.json() for answer in answers if answer.status_code == 200]
    reply = await attempt
    assert (reply.kind, reply.by) == (done["reply"], done["answered_by"])
    (late,) = [answer.json() for answer in answers if answer.status_code == 409]
    assert late["type"].endswith(":answered")
    assert reply.by in late["detail"]


async def test_too_late_is_said_so(asking, waiting):
    operator = asking(Role.OPERATOR)
    id, attempt = await waiting(question(wait_s=0.05))
    assert await attempt is None
    answer = await operator.post(f"/api/v1/questions/{id}/answer", json={"reply": "done"})
    assert answer.status_code == 410
    assert "its time is over" in answer.json()["detail"]
    id, attempt = await waiting(question())
    attempt.cancel()
    await asyncio.gather(attempt, return_exceptions=True)
    answer = await operator.post(f"/api/v1/questions/{id}/answer", json={"reply": "done"})
    assert (answer.status_code, answer.json()["detail"][-19:]) == (410, "its run was stopped")
    states = [row["state"] for row in (await operator.get("/api/v1/questions")).json()["items"]]
    assert sorted(states) == [QuestionState.EXPIRED, QuestionState.WITHDRAWN]


NO_ANSWERS = (
    ("consent", {"reply": "type", "text": "x"}, 422, "there are allow, refuse"),
    ("take_over", {"reply": "allow"}, 422, "there are type, click, done, refuse"),
    ("take_over", {"reply": "click", "x": 5}, 422, "x and y"),
    ("take_over", {"reply": "type"}, 422, "what is to be typed"),
    ("take_over", {"reply": "click", "x": -1, "y": 2}, 400, "x: "),
    ("take_over", {"reply": "type", "text": "secretx" * 200}, 400, "text: "),
    ("take_over", {"reply": "shout"}, 400, "reply: "),
    ("take_over", {"reply": "done", "why": "x"}, 400, "why: "),
)


async def test_what_is_no_answer_is_refused_and_the_question_stays_open(
    asking, service: Service, waiting
):
    operator = asking(Role.OPERATOR)
    ids = {kind: (await waiting(question(kind)))[0] for kind in QuestionKind}
    for kind, body, status, said in NO_ANSWERS:
        answer = await operator.post(f"/api/v1/questions/{ids[kind]}/answer", json=body)
        assert answer.status_code == status
        assert said in answer.json()["detail"]
        assert "secretx" not in answer.text
    assert {row.id for row in service.engine.people.waiting()} == set(ids.values())


async def test_who_only_looks_does_not_answer_and_what_is_not_there_is_not_found(asking, waiting):
    viewer = asking(Role.VIEWER)
    id, _ = await waiting(question(picture=b"<svg onload=alert(1)>"))
    assert (await viewer.get(f"/api/v1/questions/{id}")).json()["picture"] is None
    answer = await viewer.post(f"/api/v1/questions/{id}/answer", json={"reply": "done"})
    assert answer.status_code == 403
    missing = [
        await viewer.get(f"/api/v1/questions/{id}/picture"),
        await viewer.get("/api/v1/questions/q-none"),
        await viewer.get("/api/v1/questions/q-none/picture"),
        await asking(Role.OPERATOR).post("/api/v1/questions/q/answer", json={"reply": "done"}),
    ]
    assert [answer.status_code for answer in missing] == [404] * 4
    assert missing[1].json()["type"] == "urn:appliance:problem:unknown-question"
