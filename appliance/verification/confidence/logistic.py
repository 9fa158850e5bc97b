"""Regularised logistic regression in plain numbers: few signs, few kinds of rows.

Nothing here knows what a finding is.
"""

import math
from collections.abc import Sequence
from typing import NamedTuple

Vector = Sequence[float]
Matrix = Sequence[Sequence[float]]

_ROUNDS = 50
_ENOUGH = 1e-10
"""What a whole Newton step would add to the logarithm of the posterior, where it is the maximum."""


class Prior(NamedTuple):
    """What is believed of one weight before anything was seen: a normal distribution."""

    mean: float
    deviation: float


class Row(NamedTuple):
    """Rows that are alike, together."""

    signs: Vector
    true: float
    """How many of them are true; parts count."""
    false: float


class Fit(NamedTuple):
    """What is believed of the weights afterwards: about a normal distribution."""

    weights: tuple[float, ...]
    covariance: tuple[tuple[float, ...], ...]


def fit(rows: Sequence[Row], priors: Sequence[Prior]) -> Fit:
    """The likeliest weights, and how sure they are.

    Newton's steps to the maximum of the posterior, which is concave: it has one. Around it the
    posterior is taken for a normal distribution whose precision is the Hessian there (Laplace):
    C. M. Bishop, Pattern Recognition and Machine Learning (2006), 4.3.3 and 4.5.1.

    Args:
        rows: What was seen; none: what was believed before stays.
        priors: One for each sign.
    """
    weights = [prior.mean for prior in priors]
    for _ in range(_ROUNDS):
        gradient, hessian = _derivatives(rows, priors, weights)
        step = _solved(_cholesky(hessian), gradient)
        if _dot(gradient, step) / 2 < _ENOUGH:
            break
        weights = _improved(rows, priors, weights, step)
    _, hessian = _derivatives(rows, priors, weights)
    return Fit(tuple(weights), _inverse(_cholesky(hessian)))


def probability(fitted: Fit, signs: Vector) -> float:
    """How likely something with these signs is true, with what is not known of the weights.

    The logistic function of a normally distributed sum, by MacKay's approximation (Bishop, 4.5.2,
    equations 4.153 and 4.154): the less is known of a sign, the nearer to one half.

    Args:
        fitted: The weights.
        signs: Of what is asked about.
    """
    mean = _dot(fitted.weights, signs)
    at = [n for n, sign in enumerate(signs) if sign]
    variance = sum(signs[a] * signs[b] * fitted.covariance[a][b] for a in at for b in at)
    return _logistic(mean / math.sqrt(1 + math.pi * variance / 8))


def _improved(
    rows: Sequence[Row], priors: Sequence[Prior], weights: Vector, step: Vector
) -> list[float]:
    """A step on, halved until it is none back: far from the maximum a whole one may be too long."""
    before = _posterior(rows, priors, weights)
    for halvings in range(30):
        tried = [weight + part / 2**halvings for weight, part in zip(weights, step, strict=True)]
        if _posterior(rows, priors, tried) >= before:
            return tried
    return list(weights)


def _posterior(rows: Sequence[Row], priors: Sequence[Prior], weights: Vector) -> float:
    """Its logarithm, but for a constant."""
    total = 0.0
    for row in rows:
        at = _dot(weights, row.signs)
        total -= row.true * _softplus(-at) + row.false * _softplus(at)
    for prior, weight in zip(priors, weights, strict=True):
        total -= ((weight - prior.mean) / prior.deviation) ** 2 / 2
    return total


def _derivatives(
    rows: Sequence[Row], priors: Sequence[Prior], weights: Vector
) -> tuple[list[float], list[list[float]]]:
    """The gradient, and the Hessian of its negative."""
    pairs = list(zip(priors, weights, strict=True))
    gradient = [(prior.mean - weight) / prior.deviation**2 for prior, weight in pairs]
    hessian = [[0.0] * len(weights) for _ in weights]
    for n, prior in enumerate(priors):
        hessian[n][n] = 1 / prior.deviation**2
    for row in rows:
        likely = _logistic(_dot(weights, row.signs))
        count = row.true + row.false
        pull, bend = row.true - count * likely, count * likely * (1 - likely)
        at = [n for n, sign in enumerate(row.signs) if sign]
        for a in at:
            gradient[a] += pull * row.signs[a]
            for b in at:
                hessian[a][b] += bend * row.signs[a] * row.signs[b]
    return gradient, hessian


def _cholesky(matrix: Matrix) -> list[list[float]]:
    """The lower triangle whose square it is: with a prior on every weight there always is one."""
    size = len(matrix)
    lower = [[0.0] * size for _ in range(size)]
    for a in range(size):
        for b in range(a + 1):
            rest = matrix[a][b] - sum(lower[a][n] * lower[b][n] for n in range(b))
            lower[a][b] = math.sqrt(rest) if a == b else rest / lower[b][b]
    return lower


def _solved(lower: Matrix, right: Vector) -> list[float]:
    size = len(right)
    half = [0.0] * size
    for a in range(size):
        half[a] = (right[a] - sum(lower[a][n] * half[n] for n in range(a))) / lower[a][a]
    out = [0.0] * size
    for a in reversed(range(size)):
        rest = half[a] - sum(lower[n][a] * out[n] for n in range(a + 1, size))
        out[a] = rest / lower[a][a]
    return out


def _inverse(lower: Matrix) -> tuple[tuple[float, ...], ...]:
    size = len(lower)
    return tuple(
        tuple(_solved(lower, [1.0 if n == column else 0.0 for n in range(size)]))
        for column in range(size)
    )


def _dot(a: Vector, b: Vector) -> float:
    return sum(x * y for x, y in zip(a, b, strict=True) if y)


def _logistic(at: float) -> float:
    if at >= 0:
        return 1 / (1 + math.exp(-at))
    return math.exp(at) / (1 + math.exp(at))


def _softplus(at: float) -> float:
    return max(at, 0.0) + math.log1p(math.exp(-abs(at)))
