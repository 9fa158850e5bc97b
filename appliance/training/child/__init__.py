"""What runs in the model's environment, with PyTorch and TRL; nothing of ours that needs others."""
