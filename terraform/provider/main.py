"""Started by Terraform: speaks its plugin protocol. `--dev`: runs on, for TF_REATTACH_PROVIDERS."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

from practice_provider.provider import PracticeProvider
from practice_provider.servicer import install
from tf.runner import run_provider

if __name__ == "__main__":
    install()
    run_provider(PracticeProvider(), sys.argv)
