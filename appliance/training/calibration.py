"""Platt calibration of the outcome model's probabilities on held-out attempts.

Used by the trainer's process, too: nothing is imported but the standard library.
"""

import math
from collections.abc import Sequence
from statistics import fmean

_STEPS = 50
_SMOOTH = 1e-3
"""Keeps steps finite where the probabilities are nearly 0 and 1."""


def calibrated(odds: float, scale: float, shift: float) -> float:
    """Return the calibrated probability for a log-odds value."""
    x = min(max(scale * odds + shift, -500.0), 500.0)
    return 1 / (1 + math.exp(-x))


def calibration(labelled_odds: Sequence[tuple[float, bool]]) -> tuple[float, float]:
    """Fit scale and shift of the log-odds by Platt scaling, with damped Newton steps.

    Returns (1, 0), which changes nothing, where all labels are the same.
    """
    if len({label for _, label in labelled_odds}) < 2:
        return 1.0, 0.0
    count, positives = len(labelled_odds), sum(label for _, label in labelled_odds)
    # Platt's smoothed targets: few samples must not yield certainty
    high, low = (positives + 1) / (positives + 2), 1 / (count - positives + 2)
    rows = [(odds, high if label else low) for odds, label in labelled_odds]
    parameters = (1.0, 0.0)
    for _ in range(_STEPS):
        step, share = _newton_step(rows, parameters), 1.0
        while share > _SMOOTH and _loss(rows, _moved_along(parameters, step, share)) > _loss(
            rows, parameters
        ):
            share /= 2
        parameters = _moved_along(parameters, step, share)
    return parameters


def _newton_step(
    rows: Sequence[tuple[float, float]], parameters: tuple[float, float]
) -> tuple[float, float]:
    predictions = [(odds, calibrated(odds, *parameters), target) for odds, target in rows]
    hessian_scale = sum(p * (1 - p) * x * x for x, p, _ in predictions) + _SMOOTH
    hessian_mixed = sum(p * (1 - p) * x for x, p, _ in predictions)
    hessian_shift = sum(p * (1 - p) for _, p, _ in predictions) + _SMOOTH
    gradient_scale = sum((p - t) * x for x, p, t in predictions)
    gradient_shift = sum(p - t for _, p, t in predictions)
    determinant = hessian_scale * hessian_shift - hessian_mixed * hessian_mixed
    return (hessian_shift * gradient_scale - hessian_mixed * gradient_shift) / determinant, (
        hessian_scale * gradient_shift - hessian_mixed * gradient_scale
    ) / determinant


def _moved_along(
    parameters: tuple[float, float], step: tuple[float, float], share: float
) -> tuple[float, float]:
    return parameters[0] - share * step[0], parameters[1] - share * step[1]


def _loss(rows: Sequence[tuple[float, float]], parameters: tuple[float, float]) -> float:
    predictions = [(min(max(calibrated(x, *parameters), 1e-12), 1 - 1e-12), t) for x, t in rows]
    return -sum(t * math.log(p) + (1 - t) * math.log(1 - p) for p, t in predictions)


def figures(predictions: Sequence[tuple[float, bool]]) -> dict[str, float]:
    """Return accuracy, Brier score and counts for predicted probabilities with their labels."""
    correct = [(p > 0.5) == label for p, label in predictions]
    return {
        "accuracy": fmean(correct) if correct else 0.0,
        "brier": fmean((p - label) ** 2 for p, label in predictions) if predictions else 1.0,
        "measured": len(predictions),
        "reached": sum(label for _, label in predictions),
    }
