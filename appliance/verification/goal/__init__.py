"""Whether the goal was reached, by whoever can say: the audit log, judges, the pages."""
