"""Pages of the console as HTML; `page.js` is what they do."""

import json
from collections.abc import Mapping, Sequence
from html import escape
from pathlib import Path

from tests.traps.cases import MAIN, Block, Case, Console, Control, Dialog, Entry, Form, Table

SCRIPT = Path(__file__).with_name("page.js").read_text(encoding="utf-8")
_STYLE = """body{font:15px sans-serif;margin:16px}table{border-collapse:collapse;margin:8px 0}
td,th{border:1px solid #ccc;padding:4px 10px;text-align:left}[hidden]{display:none}
button,a.button{margin:2px}ul[role=menu]{list-style:none;border:1px solid #888;padding:4px;
background:#fff;display:inline-block}dialog{min-width:320px}label{display:block;margin:6px 0}"""


def login(refused: bool) -> str:
    """The log-in form."""
    said = '<p role="alert">Wrong user or password.</p>' if refused else ""
    return _html(
        "Sign in",
        f"""<h1>Sign in</h1>{said}<form method="post" action="/login">
        <label>User name <input name="username"></label>
        <label>Password <input type="password" name="password"></label>
        <button>Sign in</button></form>""",
    )


def home(cases: Sequence[Case]) -> str:
    """The list of cases, by language."""
    parts = []
    for language, heading in (("en", "Cases"), ("zh", "案例")):
        own = [c for c in cases if c.language == language]
        items = "".join(f'<li><a href="/case/{c.id}/{MAIN}">{c.link}</a></li>' for c in own)
        parts.append(f"<h2>{heading}</h2><ul>{items}</ul>" if own else "")
    return _html("Console", f"<main><h1>Console</h1>{''.join(parts)}</main>")


def page(
    case: Case,
    console: Console,
    name: str,
    row: str,
    rows: Mapping[str, Sequence[Sequence[str]]],
    message: str,
) -> str:
    """A page of a case as it is now."""
    blocks = "".join(_block(b, row, rows.get(name, ())) for b in console.pages[name])
    dialogs = "".join(_dialog(key, d) for key, d in console.dialogs.items())
    said = f'<p role="status">{escape(message)}</p>' if message else ""
    home_link = "Console" if case.language == "en" else "控制台"
    body = f"""<nav><a href="/">{home_link}</a></nav>{said}
      <main data-case="{case.id}" data-here="{name}" data-of="{escape(row)}">{blocks}</main>
      {dialogs}<script>{SCRIPT}</script>"""
    return _html(case.link, body, case.language)


def _html(title: str, body: str, language: str = "en") -> str:
    return f"""<!doctype html><html lang="{language}"><meta charset="utf-8">
      <title>{escape(title)}</title><style>{_STYLE}</style><body>{body}</body></html>"""


def _put(text: str, row: str) -> str:
    return escape(text.replace("{row}", row) if row else text)


def _block(block: Block, row: str, rows: Sequence[Sequence[str]]) -> str:
    if block.heading:
        return f"<h1>{_put(block.heading, row)}</h1>"
    if block.text:
        return f"<p>{_put(block.text, row)}</p>"
    if block.buttons:
        return f"<div>{''.join(_control(c, row) for c in block.buttons)}</div>"
    if block.table:
        return _table(block.table, rows)
    assert block.form
    return _form(block.form, row)


def _control(control: Control, row: str) -> str:
    done = control.model_dump(
        include={"go", "dialog", "confirm", "then", "becomes"}, exclude_defaults=True
    )
    is_link = control.is_link or control.is_get
    tag = "a" if is_link else "button"
    attributes = {
        "data-c": control.key,
        "data-does": json.dumps(done, ensure_ascii=False),
        "aria-label": _plain(control.name, row),
        "title": _plain(control.tip, row),
    }
    if is_link:
        attributes["href"] = "#"
    if control.is_get:
        attributes["data-get"] = "yes"
    if control.is_switch:
        attributes |= {"role": "switch", "aria-checked": "true"}
    if control.menu:
        attributes |= {"aria-haspopup": "menu", "aria-expanded": "false", "data-menu": "yes"}
    text = "".join(f' {k}="{escape(v)}"' for k, v in attributes.items() if v)
    text += " disabled" if control.disabled else ""
    html = f"<{tag}{text}>{_put(control.label, row)}</{tag}>"
    if not control.menu:
        return html
    items = "".join(
        f'<li role="none">{_control(c, row).replace(" data-c", " role=menuitem data-c", 1)}</li>'
        for c in control.menu
    )
    return f'<span>{html}<ul role="menu" hidden>{items}</ul></span>'


def _plain(text: str, row: str) -> str:
    return text.replace("{row}", row) if row else text


def _table(table: Table, rows: Sequence[Sequence[str]]) -> str:
    toolbar = "".join(_control(c, "") for c in table.toolbar)
    bar = f'<div data-bar role="toolbar">{toolbar}</div>' if toolbar else ""
    box = '<th><input type="checkbox" data-all aria-label="Select all"></th>'
    heads = (box if table.select else "") + "".join(f"<th>{escape(c)}</th>" for c in table.columns)
    heads += "<th></th>" if table.actions else ""
    lines = "".join(_row(table, cells) for cells in rows)
    return f"{bar}<table><thead><tr>{heads}</tr></thead><tbody>{lines}</tbody></table>"


def _row(table: Table, cells: Sequence[str]) -> str:
    name = cells[0]
    ticked = " checked" if name in table.ticked else ""
    box = f'<td><input type="checkbox" data-tick aria-label="{escape(name)}"{ticked}></td>'
    linked = f'<a href="{table.open}?row={escape(name)}">{escape(name)}</a>'
    first = linked if table.open else escape(name)
    rest = "".join(f"<td>{escape(c)}</td>" for c in cells[1:])
    actions = "".join(_control(c, name) for c in table.actions)
    actions = f"<td>{actions}</td>" if table.actions else ""
    return (
        f'<tr data-row="{escape(name)}">{box if table.select else ""}<td>{first}</td>'
        f"{rest}{actions}</tr>"
    )


def _form(form: Form, row: str) -> str:
    title = f"<h2>{_put(form.title, row)}</h2>" if form.title else ""
    fields = "".join(_field(f) for f in form.fields)
    buttons = "".join(_control(c, row) for c in form.buttons)
    return f"<form>{title}{fields}<div>{buttons}</div></form>"


def _field(field: Entry) -> str:
    if field.options:
        options = "".join(f"<option>{escape(o)}</option>" for o in field.options)
        return f"<label>{escape(field.label)} <select>{options}</select></label>"
    if field.type == "checkbox":
        ticked = " checked" if field.value else ""
        return f'<label><input type="checkbox"{ticked}> {escape(field.label)}</label>'
    value = escape(field.value)
    return f'<label>{escape(field.label)} <input type="{field.type}" value="{value}"></label>'


def _dialog(key: str, dialog: Dialog) -> str:
    """Kept as a template: each opening is a fresh one."""
    fields = "".join(_field(f) for f in dialog.fields)
    if dialog.word:
        fields += f'<label>{escape(dialog.word)} <input data-word="{escape(dialog.word)}"></label>'
    buttons = "".join(_control(c, "") for c in dialog.buttons)
    becomes = dialog.becomes.model_dump_json() if dialog.becomes else ""
    title = f"title-{escape(key)}"
    return f"""<template data-dialog="{escape(key)}"><dialog aria-labelledby="{title}"
      data-becomes="{escape(becomes)}"><form><h2 id="{title}">{escape(dialog.title)}</h2>
      <p>{escape(dialog.body)}</p>{fields}<div>{buttons}</div></form></dialog></template>"""
