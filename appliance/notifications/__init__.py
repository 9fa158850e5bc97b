"""Tells people what happened, by e-mail and in chats."""
