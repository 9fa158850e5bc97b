"""What runs in the model's environment: PyTorch, transformers, peft and TRL, and nothing of ours
but what the standard library can read.
"""
