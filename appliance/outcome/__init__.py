"""Whether the goal was reached, said by channels that the agent does not write."""
