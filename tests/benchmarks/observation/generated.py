"""Generated pages: each has what observers find hard, and nothing that changes from run to run."""

from collections.abc import Iterable

CSS = (
    "body{font:13px/1.4 sans-serif;margin:0 16px}table{border-collapse:collapse}"
    "td,th{border:1px solid #ccc;padding:2px 6px}"
)
REGIONS = ("east-1", "west-2", "north-1")
STATES = ("running", "stopped", "starting", "failed")


def page(title: str, body: str) -> str:
    """A whole document."""
    return (
        f"<!doctype html><html lang=en><meta charset=utf-8><title>{title}</title>"
        f"<style>{CSS}</style><body>{body}"
    )


def script(source: str) -> str:
    """A script, inline."""
    return f"<script>{source}</script>"


def table(rows: int) -> str:
    """A list of servers: check box, link and button in every row."""
    lines = (
        f'<tr><td><input type=checkbox aria-label="Select web-{i}"><td><a href="#{i}">web-{i}</a>'
        f"<td>{STATES[i % 4]}<td>{REGIONS[i % 3]}<td>10.0.{i // 250}.{i % 250}<td>{i % 64 + 1} GiB"
        "<td><button>Actions</button>"
        for i in range(rows)
    )
    head = "".join(f"<th>{t}" for t in ("", "Name", "State", "Region", "Address", "Memory", ""))
    return page(
        f"Servers ({rows})",
        '<nav><a href="#a">Dashboard</a> <a href="#b">Servers</a></nav>'
        f"<h1>Servers ({rows})</h1><input type=search placeholder='Find servers'>"
        f"<button>Launch server</button><table><thead><tr>{head}</thead><tbody>"
        + "\n".join(lines)
        + "</table>",
    )


def index(links: int) -> str:
    """An index of a book: links by the thousand under letters."""
    return page(
        "Index",
        "<h1>Index</h1>"
        + _lines(
            f"<h2>{chr(65 + i * 26 // links)}</h2>" * (i % (links // 26 + 1) == 0)
            + f'<dt>term {i}, <a href="#{i}">section {i % 97}.{i % 13}</a></dt>'
            for i in range(links)
        ),
    )


def _lines(parts: Iterable[str]) -> str:
    return "\n".join(parts)


def shadow() -> str:
    """Open and closed shadow roots, three deep, with slots."""
    return page(
        "Shadow",
        "<h1>Shadow roots</h1><x-open></x-open><x-closed></x-closed>"
        "<x-slot><button>Slotted</button></x-slot><x-list></x-list>"
        + script("""
const make = (name, mode, html) => customElements.define(name, class extends HTMLElement {
  connectedCallback() { this.attachShadow({ mode }).innerHTML = html(this); }
});
make('x-button', 'open', (el) => `<button>${el.getAttribute('label')}</button>`);
make('x-card', 'open', () => `<h2>Card</h2><x-button label="Deep"></x-button>
  <label><input type=checkbox> Versioning</label>
  <div style="cursor:pointer;width:200px">Pointer inside</div>`);
make('x-open', 'open', () => '<section><x-card></x-card><a href="#o">Open link</a></section>');
make('x-closed', 'closed', () => `<fieldset><legend>Closed</legend><button>Closed button</button>
  <input placeholder="Closed field"><x-card></x-card></fieldset>`);
make('x-slot', 'open', () => '<p><slot></slot> <button>Beside the slot</button></p>');
make('x-list', 'open', () => '<ul>' + Array.from({ length: 60 },
  (_, i) => `<li><x-button label="Item ${i}"></x-button></li>`).join('') + '</ul>');
"""),
    )


def inner(name: str, more: str = "") -> str:
    """What a frame shows."""
    return page(
        name,
        f'<h3>{name}</h3><a href="#x">{name} link</a> <button>{name} button</button> '
        f"<input placeholder='{name} field'>{more}",
    )


def frames(other: str) -> str:
    """Frames of the same origin and of another (`other`), within each other."""
    size = "width=560 height=200"
    return page(
        "Frames",
        f"<h1>Frames</h1><button>Top button</button><br><iframe src=/middle {size}></iframe>"
        f"<iframe src={other}/middle {size}></iframe><br>"
        f'<iframe srcdoc="<button>Written button</button>" {size}></iframe>'
        f"<iframe sandbox src=/leaf {size}></iframe>"
        "<iframe style='display:none' src=/leaf></iframe>",
    )


def modal() -> str:
    """A dialog over 120 rows of controls."""
    behind = "".join(
        f"<p>Row {i} <a href='#{i}'>Open {i}</a> <button>Edit {i}</button></p>" for i in range(120)
    )
    return page(
        "Modal",
        f"<h1>Behind</h1>{behind}<div style='position:fixed;inset:0;background:#0008'></div>"
        "<div role=dialog aria-modal=true aria-label='Delete server' style='position:fixed;"
        "left:300px;top:120px;width:500px;background:#fff'><h2>Delete server?</h2>"
        "<button aria-label=Close>×</button><p>To confirm, type <b>delete</b>.</p>"
        "<input placeholder=delete><label><input type=checkbox> I know</label>"
        "<a href='#more'>Learn more</a><button>Cancel</button><button disabled>Delete</button>"
        "</div>",
    )


def virtual() -> str:
    """100,000 rows, of which the page itself renders thirty."""
    return page(
        "Virtual",
        "<h1>Log groups (100000)</h1><input placeholder='Filter log groups'>"
        "<button>Create log group</button>"
        "<div id=v style='height:480px;overflow:auto;position:relative'>"
        "<div id=s style='height:2800000px;position:relative'></div></div>"
        + script("""
const height = 28;
const draw = () => {
  const first = Math.max(0, Math.floor(v.scrollTop / height) - 5);
  s.innerHTML = Array.from({ length: 30 }, (_, i) => first + i).map((i) =>
    `<div role=row style="position:absolute;top:${i * height}px;height:${height}px">
     <input type=checkbox aria-label="Select ${i}"> <a href="#${i}">log-${i}</a>
     <span style="cursor:pointer">Delete</span></div>`).join('');
};
v.onscroll = draw;
draw();
"""),
    )


def crowded() -> str:
    """Seven hundred small controls in view, some of them covered."""
    cells = "".join(
        f"<button title='Port {i}' style='width:28px;height:18px;padding:0'>{i}</button>"
        for i in range(700)
    )
    return page(
        "Crowded",
        f"<h1>Ports</h1><div style='position:relative;width:1200px'>{cells}"
        "<div style='position:absolute;left:0;top:0;width:300px;height:90px;background:#fff'>"
        "<button>Legend</button></div></div>",
    )
