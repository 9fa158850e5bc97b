"""What an operator sees of the process: logs, metrics, traces. It only listens."""
