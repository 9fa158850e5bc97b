"""How sure a model may be that an attempt got there, by attempts that it did not learn from.

Used by the trainer's process, too: nothing is imported but the standard library.
"""

import math
from collections.abc import Sequence
from statistics import fmean

_STEPS = 50
_SMOOTH = 1e-3
"""Keeps steps finite where the probabilities are nearly 0 and 1."""


def calibrated(odds: float, scale: float, shift: float) -> float:
    """A probability, of the logarithm of odds."""
    x = min(max(scale * odds + shift, -500.0), 500.0)
    return 1 / (1 + math.exp(-x))


def calibration(known: Sequence[tuple[float, bool]]) -> tuple[float, float]:
    """Scale and shift that make the odds come true: Platt's, by Newton's steps, cut where too long.

    As they are, (1, 0), where all of these ended alike: then nothing is known of it.
    """
    if len({label for _, label in known}) < 2:
        return 1.0, 0.0
    count, yes = len(known), sum(label for _, label in known)
    # Platt's targets: of so few nobody is certain
    high, low = (yes + 1) / (yes + 2), 1 / (count - yes + 2)
    rows = [(odds, high if label else low) for odds, label in known]
    at = (1.0, 0.0)
    for _ in range(_STEPS):
        step, share = _newton(rows, at), 1.0
        while share > _SMOOTH and _loss(rows, _moved(at, step, share)) > _loss(rows, at):
            share /= 2
        at = _moved(at, step, share)
    return at


def _newton(rows: Sequence[tuple[float, float]], at: tuple[float, float]) -> tuple[float, float]:
    told = [(odds, calibrated(odds, *at), target) for odds, target in rows]
    a = sum(p * (1 - p) * x * x for x, p, _ in told) + _SMOOTH
    b = sum(p * (1 - p) * x for x, p, _ in told)
    c = sum(p * (1 - p) for _, p, _ in told) + _SMOOTH
    g = sum((p - t) * x for x, p, t in told)
    h = sum(p - t for _, p, t in told)
    rest = a * c - b * b
    return (c * g - b * h) / rest, (a * h - b * g) / rest


def _moved(at: tuple[float, float], step: tuple[float, float], share: float) -> tuple[float, float]:
    return at[0] - share * step[0], at[1] - share * step[1]


def _loss(rows: Sequence[tuple[float, float]], at: tuple[float, float]) -> float:
    told = [(min(max(calibrated(x, *at), 1e-12), 1 - 1e-12), t) for x, t in rows]
    return -sum(t * math.log(p) + (1 - t) * math.log(1 - p) for p, t in told)


def figures(told: Sequence[tuple[float, bool]]) -> dict[str, float]:
    """How often it is right, and how far its probabilities are from the truth (Brier)."""
    right = [(p > 0.5) == label for p, label in told]
    return {
        "accuracy": fmean(right) if right else 0.0,
        "brier": fmean((p - label) ** 2 for p, label in told) if told else 1.0,
        "measured": len(told),
        "reached": sum(label for _, label in told),
    }
