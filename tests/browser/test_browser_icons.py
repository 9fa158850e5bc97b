"""Icons without words are known by what is said of them, or by the shape that is drawn."""

import random
import re
import runpy
from base64 import b64encode
from importlib.resources import files
from pathlib import Path
from urllib.parse import quote

import pytest

from tests.drawn_icons import CARET, DOTS, DRAWN, PENCIL, strokes, svg

pytestmark = pytest.mark.asyncio(loop_scope="session")
ONE_PAGE = True

ENCODED = b64encode(svg(DOTS).encode()).decode()
UNKNOWN = svg(PENCIL.replace("20.71", "20.72"))


async def names(see, icons):
    view = await see("<br>".join(f"<button type=button>{icon}</button>" for icon in icons))
    return [e.name for e in view.elements]


async def test_the_shapes_of_many_libraries_are_known(see):
    assert await names(see, [icon for _, icon in DRAWN.values()]) == [n for n, _ in DRAWN.values()]


def respelled(path: str, chance: random.Random) -> str:
    """The same path with other spaces, and its numbers written otherwise."""
    said = ""
    for letter, number in re.findall(r"([a-zA-Z])|(-?(?:\d+\.?\d*|\.\d+))", path):
        if letter:
            said += chance.choice(["", " ", "\n"]) + letter + chance.choice(["", "  "])
            continue
        forms = [number, f"{number}0" if "." in number else f"{number}.0", f"{float(number):.4f}"]
        forms += [re.sub(r"^(-?)0?\.", r"\1.", number), re.sub(r"^(-?)", r"\g<1>0", number)]
        said += chance.choice([",", " ", " , "]) * said[-1:].isdigit() + chance.choice(forms)
    return said


async def test_a_shape_is_the_same_however_its_numbers_are_written(see):
    chance = random.Random(7)
    paths = [PENCIL, CARET, DOTS]
    spelled = [(path, respelled(path, chance)) for path in paths * 18]
    meant = {PENCIL: "edit", CARET: "▾", DOTS: "⋮"}
    assert len({after for _, after in spelled}) > 50
    found = await names(see, [svg(after) for _, after in spelled])
    assert found == [meant[path] for path, _ in spelled]


async def test_the_flags_of_an_arc_may_stand_without_spaces(see):
    apart = "M3 10a7 7 0 1 0 14 0a7 7 0 1 0 -14 0"
    loupe = "<path d='{}'/><path d='M21 21l-6 -6'/>"
    together = "M3 10a7 7 0 1014 0a7 7 0 10-14 0"
    assert await names(see, [strokes(loupe.format(d)) for d in (apart, together)]) == ["search"] * 2


async def test_another_drawing_has_no_name(see):
    waves = "".join(f"<path d='M{n} 3q5 {n} 9 2'/>" for n in range(4))
    clipped = f"<svg width=20 height=20><clipPath><path d='{PENCIL}'/></clipPath></svg>"
    icons = [UNKNOWN, strokes(waves), clipped]
    view = await see("<br>".join(f"<button>{icon}</button>" for icon in icons))
    assert [(e.name, e.look, e.is_wordless) for e in view.elements] == [("", "", True)] * 3


SAID = {
    "<i class='mdi mdi-pencil'></i>": "edit",
    "<i class='pi pi-trash'></i>": "delete",
    "<span class='codicon codicon-copy'></span>": "copy",
    "<i class='el-icon-delete'></i>": "delete",
    "<i class='ri-download-2-line'></i>": "download",
    "<i class='fa fa-ellipsis-v'></i>": "⋮",
    "<i class='icon-rocket-science'></i>": "rocket science",
    "<i data-lucide=trash-2></i>": "delete",
    f"<svg data-testid=EditIcon>{UNKNOWN}</svg>": "edit",
    "<svg data-testid=RemoveIcon></svg>": "-",
    "<iconify-icon icon='mdi:content-copy'></iconify-icon>": "copy",
    "<cds-icon shape=pencil></cds-icon>": "edit",
    "<span class=material-icons>more_vert</span>": "⋮",
    "<span class=material-symbols-outlined>delete</span>": "delete",
    "<svg><use href='#icon-edit'></use></svg>": "edit",
    "<svg><use href='/sprite.svg#bi-trash3'></use></svg>": "delete",
    f"<svg><use href='#x9'></use></svg><svg hidden><symbol id=x9>{svg(PENCIL)}</symbol>"
    "</svg>": "edit",
    "<img src='/icons/pencil.svg' alt=''>": "edit",
    "<img src='/assets/trash-B1x9_aZ4.svg?v=2' alt=''>": "delete",
    "<img src='/assets/logo.svg' alt=''>": "",
    "<b style='mask-image: url(/i/bell.svg)'></b>": "notifications",
    f"<b style='background: url(\"data:image/svg+xml,{quote(svg(PENCIL))}\")'></b>": "edit",
    f"<b style='background: url(data:image/svg+xml;base64,{ENCODED})'></b>": "⋮",
    "<b style='background: url(data:image/svg+xml,%E0)'></b>": "",
    "<style>.made::before { content: ''; background-image: url(/i/gear.png) }</style>"
    "<b class=made></b>": "settings",
}


async def test_an_icon_is_called_as_its_class_or_address_says(see):
    assert dict(zip(SAID, await names(see, SAID), strict=True)) == SAID


async def test_words_win_and_the_look_is_told_beside(see):
    view = await see(
        f"<button aria-label='Rename'>{svg(PENCIL)}</button><button title=Rename>{svg(PENCIL)}"
        f"</button><button>{svg(PENCIL)} Rename</button><button>{svg(PENCIL)}</button>"
        f"<a href=#x>{svg(PENCIL)}<span hidden>Rename</span></a>"
    )
    told = [(e.name, e.look, e.is_wordless) for e in view.elements]
    named = ("Rename", "edit", False)
    assert told[:4] == [named, named, ("Rename", "", False), ("edit", "edit", True)]


async def test_the_shadow_root_of_an_icon_is_looked_into(see):
    view = await see(
        "<button><my-glyph></my-glyph></button><script>document.querySelector('my-glyph')"
        f".attachShadow({{mode: 'open'}}).innerHTML = `{svg(PENCIL)}`</script>"
    )
    assert [e.name for e in view.elements] == ["edit"]


@pytest.mark.parametrize(
    ("control", "has_caret"),
    [
        (f"<button type=button>Actions {svg(CARET)}</button>", True),
        (f"<button type=button><span>Actions</span><span>{svg(CARET)}</span></button>", True),
        ("<button type=button>Actions <i class='fa fa-caret-down'></i></button>", True),
        (f"<button type=button>{svg(CARET)} Actions</button>", False),
        (f"<button type=button>{svg(CARET)}</button>", False),
        (f"<button type=button>Edit {svg(PENCIL)}</button>", False),
        (f"<button aria-haspopup=menu>Actions {svg(CARET)}</button>", False),
        (f"<button aria-expanded=false>Advanced {svg(CARET)}</button>", False),
        (f"<button role=combobox>Small {svg(CARET)}</button>", False),
        (f"<button role=tab>Disks {svg(CARET)}</button>", False),
        (f"<table><tr><th><button>Name {svg(CARET)}</button></table>", False),
    ],
)
async def test_a_caret_behind_words_is_a_state_of_its_own(see, control, has_caret):
    [element] = (await see(control)).elements
    assert ("caret" in element.states) is has_caret
    assert ("haspopup" in element.states) is ("haspopup" in control)


SCRIPT = Path(__file__).parents[2] / "scripts/icons"
MUI = """var _default = (0, _createSvgIcon.default)((0, _jsxRuntime.jsx)("path", {
  d: "M7 10l5 5 5-5z"
}), 'ArrowDropDown');"""
CLOUDSCAPE = """const icons = {
    "close": React.createElement("svg", { viewBox: "0 0 16 16" },
        React.createElement("path", { d: "m2 1.71 12 12M2 13.71l12-12", className: "x" })),
};"""


async def test_what_scripts_draw_is_read_as_pages_have_it(see, tmp_path):
    script = runpy.run_path(str(SCRIPT))
    (tmp_path / "ArrowDropDown.js").write_text(MUI)
    (tmp_path / "icons.js").write_text(CLOUDSCAPE)
    drawn = {
        file: next(script["drawings"](script["Package"]("MIT", file), tmp_path))
        for file in ("ArrowDropDown.js", "icons.js")
    }
    assert [each.name for each in drawn.values()] == ["ArrowDropDown", "close"]
    assert await names(see, [each.svg for each in drawn.values()]) == ["▾", "×"]


async def test_the_table_is_small_and_of_known_looks():
    folder = files("appliance.browser").joinpath("js")
    table = folder.joinpath("shapes.js").read_text("utf-8")
    assert len(table.encode()) < 60_000
    rows = dict(re.findall(r"^  \"(.+)\": '([\w-]+)',$", table, re.MULTILINE))
    known = folder.joinpath("looks.js").read_text("utf-8")
    assert len(rows) > 100
    assert all(f"'{look}':" in known or re.search(rf"\b{look}: '", known) for look in rows)
    shapes = [row[at : at + 5] for row in rows.values() for at in range(0, len(row), 5)]
    assert len(set(shapes)) == len(shapes) > 5_000
