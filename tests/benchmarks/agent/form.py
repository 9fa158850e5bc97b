"""A page of a console, a procedure about it, and what a model does there, turn by turn."""

from urllib.parse import quote

from appliance.core.procedure import Procedure
from appliance.documents import parse_document
from appliance.policy.base import Task
from tests.benchmarks.agent.answers import Turn

SLOW = "slow-one"
"""A value bound in the attempt that waits long for its answers: the model sees it in the prompt."""
VAGUE = "vague-one"
"""A value bound in the attempt whose planner names things so that only a grounder knows them."""
_ROWS, _FIELDS = 25, 6
_MENU = ("Overview", "Instances", "Disks", "Snapshots", "Images", "Networks", "Buckets", "Users")
_TEXT = """# Rules

## Add the rules

1. In **Field 1** to **Field 6**, enter the values of a rule, and click **Add** after each.
2. Click **Check** when all are there.

The list shows the rules.
"""
_SCRIPT = """
let added = 0;
document.getElementById('add').onclick = () => {
  added += 1;
  document.getElementById('count').textContent = added + ' rules added';
  document.getElementById('row-' + (added % %d)).cells[2].textContent = 'Changed ' + added;
};
document.getElementById('check').onclick = () => {
  document.getElementById('state').textContent = 'Checked ' + added;
};
"""


def address() -> str:
    """The page, whole."""
    menu = "".join(f'<li><a href="#{name}">{name}</a></li>' for name in _MENU)
    fields = "".join(
        f'<p><label for="f{n}">Field {n}</label> <input id="f{n}"></p>'
        for n in range(1, _FIELDS + 1)
    )
    rows = "".join(
        f'<tr id="row-{n}"><td><a href="#rule-{n}">rule-{n}</a></td><td>10.0.{n}.0/24</td>'
        f"<td>Active</td><td><button>Edit rule-{n}</button></td></tr>"
        for n in range(_ROWS)
    )
    html = (
        "<!doctype html><html lang=en><title>Rules</title><body>"
        f"<nav><ul>{menu}</ul></nav><main><h1>Rules</h1><form onsubmit='return false'>{fields}"
        "<button type=button id=add>Add</button> <button type=button id=check>Check</button></form>"
        "<p id=count>0 rules added</p><p id=state></p><table><thead><tr><th>Name<th>Range<th>Status"
        f"<th>Actions</tr></thead><tbody>{rows}</tbody></table></main>"
        f"<script>{_SCRIPT.replace('%d', str(_ROWS))}</script></body></html>"
    )
    return f"data:text/html;charset=utf-8,{quote(html)}"


def procedure() -> Procedure:
    """About that page."""
    return parse_document(_TEXT, "rules.md", "markdown").procedures[0]


def task(marker: str) -> Task:
    """One attempt at it."""
    return Task(procedure=procedure(), bindings={"owner": marker}, unique=marker)


def field_of(turn: int) -> str:
    """The label of the field that a turn is about, counted from 0."""
    return f"Field {turn // 2 % _FIELDS + 1}"


def turns(count: int) -> tuple[Turn, ...]:
    """So many actions: a value, then a click, and so on."""
    made: list[Turn] = []
    for n in range(count):
        field = f"field {field_of(n)}"
        typed = {"kind": "type", "element": field, "text": f"10.0.{n}.0/24"}
        add = {"kind": "click", "element": "button Add", "how": ""}
        made.append({"step": "1", "action": add if n % 2 else typed})
    return tuple(made)
