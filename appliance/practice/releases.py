"""Which releases there are, and the catalogue of one."""

from functools import cache
from pathlib import Path

from appliance.core.errors import SetupError
from appliance.core.near import nearest
from appliance.practice.catalogue import Catalogue
from appliance.practice.loading import Tree, read_source
from appliance.practice.overlay import apply_overlay, catalogue_of, read_overlay
from appliance.practice.rules import problems_of

_HERE = Path(__file__).resolve().parent
PRODUCTS = _HERE / "products"
RELEASES = _HERE / "releases"
DOCUMENTATION = _HERE / "documentation"


def releases() -> tuple[str, ...]:
    """The names of all releases, oldest first."""
    names = (file.stem for file in RELEASES.glob("*.yaml") if not file.stem.endswith(".truth"))
    return tuple(sorted(names, key=lambda name: [int(part) for part in name.split(".")]))


def catalogue(release: str = "", drift: Path | None = None) -> Catalogue:
    """What a release offers, with a drift file laid over it.

    Raises:
        SetupError: There is no such release, or a file does not fit; with file and line.
    """
    tree = release_tree(release or releases()[-1])
    if drift is not None:
        source = read_source(drift)
        tree = apply_overlay(tree, read_overlay(source), source)
    return catalogue_of(tree)


@cache
def release_tree(release: str) -> Tree:
    """The product data of a release, as plain data. It must not be changed."""
    if release not in releases():
        raise SetupError(f"there is no release {release!r}; {nearest(release, releases())}")
    source = read_source(RELEASES / f"{release}.yaml", is_ours=True)
    overlay = read_overlay(source)
    base = release_tree(overlay.follows) if overlay.follows else product_tree()
    return apply_overlay(base, overlay, source)


@cache
def product_tree() -> Tree:
    """The product files as one tree: `console` and `products`. It must not be changed."""
    shell = dict(read_source(PRODUCTS / "console.yaml", is_ours=True).data)
    names = shell.pop("products")
    products = {name: read_source(PRODUCTS / f"{name}.yaml", is_ours=True).data for name in names}
    tree: Tree = {"console": shell, "products": products}
    if problems := problems_of(tree):
        raise SetupError(f"{PRODUCTS}: {problems[0]}")
    return tree
