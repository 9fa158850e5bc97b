"""How likely each token of answers is to a policy: BASE ADAPTER PROMPT ANSWERS, as JSON of ids.

Run in the environment that trains.
"""

import json
import sys

import torch
from peft import PeftModel
from transformers import AutoModelForCausalLM


def main(base: str, adapter: str, prompt: str, answers: str) -> None:
    model = AutoModelForCausalLM.from_pretrained(base, dtype=torch.float32)
    model = PeftModel.from_pretrained(model, adapter).eval()
    question, found = json.loads(prompt), []
    for answer in json.loads(answers):
        ids = torch.tensor([[*question, *answer]])
        with torch.no_grad():
            told = model(ids).logits[0, len(question) - 1 : -1].log_softmax(-1)
        found.append([float(told[n, token]) for n, token in enumerate(answer)])
    print(json.dumps(found))


if __name__ == "__main__":
    main(*sys.argv[1:])
