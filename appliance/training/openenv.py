"""Our console behind OpenEnv's protocol, for other people's RL engines.

A WebSocket at `/ws` is a session: `reset` begins an attempt, `step` answers a question, `state`
says where it is, `close` ends it; every answer is an observation with reward and `done`. `/health`
says that it is up. What is asked stands in the observation's `messages`, as the agent's model is
asked; an action is `{"answer": TEXT}`. The reward comes with the end: `attempt_reward`, or none
where nobody can tell or the environment was in the way; whoever trains leaves such attempts out.
"""

import asyncio
import hmac
import json
import socket
from collections.abc import Callable, Mapping
from http import HTTPStatus
from random import Random
from typing import Any

from websockets.asyncio.server import Server, ServerConnection, serve
from websockets.datastructures import Headers
from websockets.http11 import Request, Response

from appliance.benchmark.suite import Task
from appliance.core.errors import ApplianceError
from appliance.training.episode import Episode, EpisodeState

_MAX_MESSAGE_BYTES = 1 << 20
"""Bytes of a message that is taken."""


class Environment:
    """All sessions: each has one attempt at a time."""

    def __init__(
        self,
        tasks: Mapping[str, Task],
        make_episode: Callable[[Task], Episode],
        *,
        key: str = "",
        max_sessions: int = 1,
        seed: int = 0,
    ) -> None:
        """Nothing is begun yet.

        Args:
            tasks: What may be tried, by their ids.
            make_episode: Makes an attempt at one.
            key: What every client has to show; empty: nothing.
            max_sessions: Sessions at a time.
            seed: Tasks that nobody names are drawn with it.
        """
        self._tasks, self._episode, self._key = tasks, make_episode, key
        self._free = asyncio.Semaphore(max_sessions)
        self._max_sessions = max_sessions
        self._random = Random(seed)  # noqa: S311 - repeatable, no secret

    async def serve(self, listener: socket.socket) -> Server:
        """Begin to; a page of a browser is no client."""
        return await serve(
            self._session,
            sock=listener,
            origins=[None],
            process_request=self._answer,
            max_size=_MAX_MESSAGE_BYTES,
        )

    def _answer(self, connection: ServerConnection, request: Request) -> Response | None:
        """What is no session, and who may have none."""
        path = request.path.partition("?")[0]
        if path == "/health":
            return _as_json(connection.respond(HTTPStatus.OK, '{"status": "healthy"}\n'))
        if path != "/ws":
            return connection.respond(HTTPStatus.NOT_FOUND, "There is /ws, and /health.\n")
        if self._key and not hmac.compare_digest(
            _presented_key(request.headers), self._key.encode()
        ):
            text = "The header `Authorization: Bearer KEY` is missing, or has another key.\n"
            return connection.respond(HTTPStatus.UNAUTHORIZED, text)
        return None

    async def _session(self, connection: ServerConnection) -> None:
        if self._free.locked():
            why = f"all {self._max_sessions} sessions are taken"
            await connection.send(_frame("error", {"message": why, "code": "CAPACITY_REACHED"}))
            return
        async with self._free:
            session = _Session(self)
            try:
                async for raw in connection:
                    answer = await session.answer(raw)
                    if answer is None:
                        break
                    await connection.send(answer)
            finally:
                await session.close()

    def begin_episode(self, request: Mapping[str, Any]) -> Episode:  # Any: JSON
        """An attempt at the task that is named, or at one that is drawn.

        Raises:
            ValueError: There is no such task.
        """
        name = request.get("task")
        if name is None:
            seed = request.get("seed")
            random = self._random if seed is None else Random(int(seed))  # noqa: S311 - repeatable
            name = random.choice(sorted(self._tasks))
        if name not in self._tasks:
            raise ValueError(f"there is no task {name!r}; there are {', '.join(self._tasks)}")
        return self._episode(self._tasks[name])


class _Session:
    """One client's attempts, one after the other."""

    def __init__(self, environment: Environment) -> None:
        self._environment = environment
        self._episode: Episode | None = None

    async def close(self) -> None:
        if self._episode is not None:
            await self._episode.close()
            self._episode = None

    async def answer(self, raw: str | bytes) -> str | None:
        """To one message; None: the client has ended it."""
        try:
            message = json.loads(raw)
            kind, data = message["type"], message.get("data") or {}
            if not isinstance(data, dict):
                raise TypeError("data is no object")
        except (ValueError, TypeError, KeyError) as exc:
            return _error("INVALID_JSON", f"a message is an object with type and data: {exc}")
        try:
            return await self._handle(kind, data)
        except (ValueError, TypeError) as exc:
            return _error("VALIDATION_ERROR", str(exc))
        except ApplianceError as exc:
            return _error("EXECUTION_ERROR", str(exc))

    async def _handle(self, kind: str, data: Mapping[str, Any]) -> str | None:  # Any: JSON
        match kind:
            case "reset":
                await self.close()
                self._episode = self._environment.begin_episode(data)
                return _observation(self._episode, await self._episode.begin())
            case "step":
                answer = data.get("answer")
                if self._episode is None or not isinstance(answer, str):
                    raise ValueError('reset first; then an action is {"answer": TEXT}')
                return _observation(self._episode, await self._episode.step(answer))
            case "state":
                return _frame("state", _state(self._episode))
            case "close":
                return None
            case _:
                return _error("UNKNOWN_TYPE", f"there is reset, step, state, close, not {kind!r}")


def _observation(episode: Episode, state: EpisodeState) -> str:
    observation: dict[str, object] = {"task": episode.task.id, "messages": list(state.messages)}
    if state.end is not None:
        observation |= {"reached": state.end.reached, "why": state.end.why}
    end = state.end
    data = {
        "observation": observation,
        "reward": end.reward if end else None,
        "done": end is not None,
    }
    return _frame("observation", data)


def _state(episode: Episode | None) -> dict[str, object]:
    if episode is None:
        return {"episode_id": None, "step_count": 0}
    return {"episode_id": episode.task.id, "step_count": episode.steps}


def _error(code: str, message: str) -> str:
    return _frame("error", {"code": code, "message": message})


def _frame(kind: str, data: Mapping[str, object]) -> str:
    return json.dumps({"type": kind, "data": data}, ensure_ascii=False)


def _presented_key(headers: Headers) -> bytes:
    return headers.get("Authorization", "").removeprefix("Bearer ").encode()


def _as_json(response: Response) -> Response:
    del response.headers["Content-Type"]
    response.headers["Content-Type"] = "application/json"
    return response
