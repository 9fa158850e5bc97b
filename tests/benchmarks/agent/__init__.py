"""How much the agent adds to what the browser and the model take."""
