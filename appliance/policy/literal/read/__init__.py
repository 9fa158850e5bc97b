"""From a procedure to a plan: the grammars of English and Chinese."""
