"""Fine-tuning of the agent's model on the customer's own console."""
