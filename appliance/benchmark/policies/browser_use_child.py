"""Runs in the Python that has browser-use, and knows nothing of the appliance.

Its argument is a folder: `request.json` says what is to be done, `answer.json` what came of it.
"""

# mypy: ignore-errors

import asyncio
import json
import sys
from pathlib import Path
from time import monotonic


async def main(folder: Path) -> None:
    """Carry out the task, and write down what came of it."""
    from browser_use import Agent, BrowserProfile, BrowserSession
    from browser_use.llm.openai.chat import ChatOpenAI

    request = json.loads((folder / "request.json").read_text(encoding="utf-8"))
    spent = {"calls": 0, "model_s": 0.0, "tokens_in": 0, "tokens_out": 0}

    class Counted(ChatOpenAI):
        async def ainvoke(self, *args, **options):
            began = monotonic()
            answer = await super().ainvoke(*args, **options)
            spent["calls"] += 1
            spent["model_s"] += monotonic() - began
            if answer.usage:
                spent["tokens_in"] += answer.usage.prompt_tokens
                spent["tokens_out"] += answer.usage.completion_tokens
            return answer

    model = Counted(
        model=request["model"],
        base_url=request["endpoint"],
        api_key=request["api_key"],
        temperature=0.0,
        frequency_penalty=None,
        add_schema_to_system_prompt=False,
    )
    session = BrowserSession(
        browser_profile=BrowserProfile(
            headless=True,
            executable_path=request["executable"],
            chromium_sandbox=False,
            enable_default_extensions=False,
            user_data_dir=None,
            storage_state={"cookies": request["cookies"], "origins": []},
            args=[f"--accept-lang={request['language']}", f"--lang={request['language']}"],
        )
    )
    agent = Agent(
        task=request["task"],
        llm=model,
        browser_session=session,
        use_vision=request["pictures"],
        use_judge=False,
        initial_actions=[{"navigate": {"url": request["url"], "new_tab": False}}],
        directly_open_url=False,
        calculate_cost=False,
    )
    final_text, is_done = "", False
    try:
        history = await asyncio.wait_for(agent.run(max_steps=request["steps"]), request["seconds"])
        final_text, is_done = history.final_result() or "", bool(history.is_done())
        final_text = final_text or "; ".join(filter(None, history.errors()))
    except TimeoutError:
        final_text = f"it was not done within {request['seconds']:g} s"
    answer = {**spent, "is_done": is_done, "said": final_text}
    (folder / "answer.json").write_text(json.dumps(answer), encoding="utf-8")


if __name__ == "__main__":
    asyncio.run(main(Path(sys.argv[1])))
