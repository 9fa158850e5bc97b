"""Pages, menus and parts that a text calls otherwise, and what a form says of its own fields."""

import pytest

from appliance.core.verdict import DivergenceKind, StepStatus
from tests.policy.policy_reader import Reader, told

_SHOP = """<nav><a href="#o" onclick="show('orders')">Orders</a>
<a href="#l" onclick="show('lists')">Price Lists</a>
<a href="#p" onclick="show('promo')">Promotions</a>
</nav><main id=m><h1>Orders</h1></main><script>
const PAGES = {
  orders: '<h1>Orders</h1><p>No records</p>',
  lists: '<h1>Price Lists</h1><table><tr><th>Title<th>State</tr><tr><td><a href="#w">Winter Sale'
    + '</a><td>Active</tr><tr><td><a href="#s">Spring</a><td>Draft</tr></table>',
  promo: '<h1>Promotions</h1><table><tr><th>Code<th>State</tr><tr><td><a href="#c">WELCOME10</a>'
    + '<td>Active</tr><tr><td><a href="#d">BYE</a><td>Draft</tr></table>',
};
function show(page) { m.innerHTML = PAGES[page]; }
</script>"""


@pytest.mark.parametrize(
    ("first", "thing", "value", "name"),
    [
        ("Go to the Pricing page.", "price list", "Winter Sale", "Price Lists"),
        ("Go to Discounts.", "discount", "WELCOME10", "Promotions"),
        ("Go to **Discounts**.", "discount", "WELCOME10", "Promotions"),
    ],
)
async def test_a_page_is_found_by_what_it_lists(
    reader: Reader, first: str, thing: str, value: str, name: str
) -> None:
    steps = f"1. {first}\n2. Click on the {thing} that you want to view."
    done = await reader.follow(_SHOP, steps, **{thing.replace(" ", "_"): value})
    [(_, only)] = done.divergences()
    assert (only.kind, only.suggestion) == (DivergenceKind.RENAMED_LABEL, name)
    assert only.is_guess


async def test_a_page_that_lists_nothing_known_is_no_other_page(reader: Reader) -> None:
    steps = "1. Go to **Discounts**.\n2. Click on the discount that you want to view."
    done = await reader.follow(_SHOP, steps, discount="SUMMER")
    assert not any(d.suggestion for _, d in done.divergences())


_SETTINGS = """<aside><a href="#s" onclick="n.hidden = false">Settings</a></aside>
<nav id=n hidden><a href="#u">Users</a> <a href="#l" onclick="m.innerHTML = '<h1>Places</h1>'
 + '<button>Create</button>'">Locations &amp; Shipping</a> <a href="#k"
 onclick="m.innerHTML = '<h1>Keys</h1><button>Create</button>'">Publishable API Keys</a></nav>
<main id=m><h1>Start</h1></main>"""


@pytest.mark.parametrize(
    ("path", "title", "name"),
    [
        ("Settings → Locations", "Create a location", "Locations & Shipping"),
        ("Settings → API key management", "Create a publishable API key", "Publishable API Keys"),
    ],
)
async def test_an_entry_of_a_path_has_another_name(
    reader: Reader, path: str, title: str, name: str
) -> None:
    reader.title = title
    done = await reader.follow(_SETTINGS, f"1. Go to {path}.\n2. Click the Create button.")
    [(_, only)] = done.divergences()
    assert (only.kind, only.suggestion) == (DivergenceKind.RENAMED_LABEL, name)


_MENU = """<aside><a href="#s">Settings</a></aside><h1>web-1</h1>
<button aria-haspopup=menu aria-label="More actions" onclick="d.hidden = false">⋯</button>
<div id=d hidden role=menu><button role=menuitem>Edit</button><button role=menuitem>Delete</button>
</div>"""


async def test_what_an_open_menu_lacks_is_no_entry_of_the_navigation(reader: Reader) -> None:
    steps = '1. Click the three-dots icon.\n2. Choose "Tax settings" from the dropdown.'
    done = await reader.follow(_MENU, steps)
    assert [d.suggestion for _, d in done.divergences()] == [None]


async def test_a_capital_name_that_an_open_menu_lacks_is_missing(reader: Reader) -> None:
    steps = "1. Click the three-dots icon.\n2. Choose Revoke from the dropdown."
    done = await reader.follow(_MENU, steps)
    assert [(d.kind, d.quote) for _, d in done.divergences()] == [
        (DivergenceKind.MISSING_CONTROL, "Revoke")
    ]


_PARTS = """<h1>WELCOME10</h1><p id=o></p>
<section><h2>Conditions</h2><button aria-haspopup=menu aria-label="⋯"
 onclick="o.textContent = 'conditions'">⋯</button></section>
<section><h2>Campaign</h2><button aria-haspopup=menu aria-label="⋯"
 onclick="o.textContent = 'campaign'">⋯</button></section>"""


@pytest.mark.parametrize(
    ("part", "went", "quotes"),
    [("Campaign", "campaign", []), ("Configurations", "", ["Configurations"])],
)
async def test_the_menu_of_a_part_that_is_not_there_is_no_other_menu(
    reader: Reader, part: str, went: str, quotes: list[str]
) -> None:
    steps = f"1. Under the {part} section, click on the three dots icon at the top right."
    done = await reader.follow(_PARTS, steps)
    assert await reader.value("o.textContent") == went
    assert [d.quote for _, d in done.divergences()] == quotes


_FORM = """<p id=o></p><button onclick="d.hidden = false">Create</button>
<form id=d hidden role=dialog aria-modal=true aria-label="Create channel" onsubmit="return save()">
<label>Name <input id=a name=a aria-describedby="a-hint a-message"></label>
<span id=a-hint>As customers see it.</span><span id=a-message></span>
<label>Value <input id=b name=b aria-describedby="b-message"></label><span id=b-message></span>
<button>Save</button></form><script>
function save() {
  for (const field of [a, b]) {
    field.ariaInvalid = String(!field.value);
    document.getElementById(`${field.id}-message`).textContent = field.value ? '' : 'Too short';
  }
  if (a.value && b.value) { o.textContent = 'saved'; d.hidden = true; }
  return false;
}</script>"""


@pytest.mark.parametrize(
    ("steps", "missed"),
    [
        ("In the form that opens, enter the channel's details.", 0),
        ("Enter the **Name**.\n    - The Value is used as an identifier.", 0),
        ("Enter the **Name**.", 1),
    ],
)
async def test_a_form_is_sent_again_with_what_it_says_is_wrong(
    reader: Reader, steps: str, missed: int
) -> None:
    text = f"1. Click **Create**.\n2. {steps}\n3. Click the **Save** button."
    done = await reader.follow(_FORM, text)
    assert await reader.value("o.textContent") == "saved"
    assert [d.kind for _, d in done.divergences()] == [DivergenceKind.MISSING_STEP] * missed


_ASKS = """<h1>ben@example.com</h1><p id=o></p><button onclick="d.hidden = false">Delete</button>
<div id=d hidden role=dialog aria-modal=true aria-label="Are you sure?">
<label>Please type {word} to confirm <input id=w oninput="b.disabled = w.value != '{word}'"></label>
<button id=b disabled onclick="o.textContent = 'deleted'; d.hidden = true">Delete</button></div>"""


@pytest.mark.parametrize(
    ("step", "word", "kinds"),
    [
        ("Confirm by clicking the **Delete** button.", "Ben Okoro", ["missing_step"]),
        ('Confirm deleting it by typing "REMOVE" in the field and clicking the Delete button.',
         "REMOVE", []),
        ("Enter **REMOVE** to confirm the deletion, then click **Delete**.", "REMOVE", []),
        ("Confirm deleting the user by entering its name and clicking the Delete button.",
         "ben@example.com", []),
    ],
)  # fmt: skip
async def test_what_a_question_wants_typed_is_typed(
    reader: Reader, step: str, word: str, kinds: list[str]
) -> None:
    steps = f"1. Click **Delete**.\n2. {step}"
    done = await reader.follow(_ASKS.format(word=word), steps, user="ben@example.com")
    assert await reader.value("o.textContent") == "deleted"
    assert [str(d.kind) for _, d in done.divergences()] == kinds


async def test_a_key_is_named_by_its_print(reader: Reader) -> None:
    page = (
        "<h1>Keys</h1><p id=o></p><script>onkeydown = (e) => { o.textContent += e.key; }</script>"
    )
    done = await reader.follow(page, "1. Press <kbd>R</kbd> to remove it.")
    assert (await reader.value("o.textContent"), told(done)) == ("r", [])


_LISTED = """<p id=o></p><button onclick="d.hidden = false">Invite</button>
<form id=d hidden role=dialog aria-modal=true aria-label="Invite" onsubmit="return false">
<label>Email <input></label><button onclick="o.textContent += 'sent '">Send invite</button>
<table><tr><th>Email<th></tr><tr><td>chen@example.com<td><div role=combobox aria-label="Pending"
>Pending</div><button aria-haspopup=menu aria-label="⋯" onclick="m.hidden = false">⋯</button></tr>
</table><div id=m hidden role=menu><button role=menuitem onclick="o.textContent += 'again'">Resend
</button></div></form>"""


@pytest.mark.parametrize(
    ("steps", "went"),
    [
        ("2. Find the user and click the three-dots icon.\n3. Choose **Resend**.", "again"),
        ("2. Enter the user's email.\n3. Click **Send invite**.", "sent "),
    ],
)
async def test_a_dialog_with_a_list_stays_open_for_the_next(
    reader: Reader, steps: str, went: str
) -> None:
    done = await reader.follow(_LISTED, f"1. Click **Invite**.\n{steps}", user="chen@example.com")
    assert (await reader.value("o.textContent"), told(done)) == (went, [])
    assert not done.statuses(StepStatus.STUCK)


async def test_a_list_that_is_offered_when_opened_is_taken_from(reader: Reader) -> None:
    page = """<p id=o></p><label id=l>Currency</label>
<div role=combobox aria-labelledby=l tabindex=0 onclick="b.hidden = false" id=c>Choose</div>
<div role=listbox id=b hidden><div role=option onclick="c.textContent = o.textContent = 'Euro';
b.hidden = true">Euro</div></div>"""
    done = await reader.follow(page, "1. Choose the region's currency in the Currency field.")
    assert (await reader.value("o.textContent"), told(done)) == ("Euro", [])


_TOKENS = """<p id=o></p><h1>Tokens</h1><table><tr><th>Name<th></tr>
<tr><td>storefront<td><a href="#1" aria-label="Edit storefront" onclick="go('store')">✎</a></tr>
<tr><td>mobile<td><a href="#2" aria-label="Edit mobile" onclick="go('mobile')">✎</a></tr></table>
<div id=d></div><script>
const go = (which) => { o.textContent += which; d.innerHTML = '<button>Regenerate</button>'; };
</script>"""


@pytest.mark.parametrize(("token", "went"), [("mobile", "mobile"), ("storefront", "store")])
async def test_the_icon_of_a_row_bears_its_name_too(reader: Reader, token: str, went: str) -> None:
    steps = "1. Click on the API token's edit button.\n2. Click on **Regenerate**."
    done = await reader.follow(_TOKENS, steps, API_token=token)
    assert (await reader.value("o.textContent"), told(done)) == (went, [])


async def test_what_may_come_after_a_missed_icon_is_not_held_against_the_text(
    reader: Reader,
) -> None:
    steps = "1. Click on the API token's edit button.\n2. Click on **Regenerate**."
    done = await reader.follow("<h1>Tokens</h1><p>storefront</p>", steps, API_token="storefront")
    assert not list(done.divergences())


_CHOICES = """<p id=o></p><form><label id=l>Duration</label>
<div role=combobox aria-labelledby=l aria-required=true aria-expanded=false aria-controls=b id=c
 tabindex=0 onclick="b.hidden = false; ariaExpanded = 'true'">Select</div>
<div role=listbox id=b hidden>{options}</div><button>Save</button></form><script>
for (const one of b.children) one.onclick = () => {{
  c.textContent = o.textContent = one.textContent; b.hidden = true; c.ariaExpanded = 'false'; }};
</script>"""


@pytest.mark.parametrize("days", ["7 days", "30 days"])
async def test_of_the_choices_of_a_table_the_first_is_taken(reader: Reader, days: str) -> None:
    options = "".join(f"<div role=option>{d}</div>" for d in ("7 days", "30 days", "Unlimited"))
    steps = f"""1. Configure the token:

    | Setting | Instructions |
    | --- | --- |
    | Duration | Choose a duration: *{days}*, or *Unlimited*. |
"""
    done = await reader.follow(_CHOICES.format(options=options), steps)
    assert (await reader.value("o.textContent"), told(done)) == (days, [])


async def test_a_row_may_open_its_thing_as_a_whole(reader: Reader) -> None:
    page = """<p id=o></p><table><tr><th>Name</tr>
<tr onclick="o.textContent = 'mina'" style="cursor:pointer"><td>Mina<td>Berg</tr>
<tr onclick="o.textContent = 'ada'" style="cursor:pointer"><td>Ada<td>Admin</tr></table>"""
    steps = "1. Click on the name of the administrator whose account you want to edit."
    done = await reader.follow(page, steps, administrator="Mina")
    assert (await reader.value("o.textContent"), told(done)) == ("mina", [])


async def test_a_button_that_waits_for_a_change_is_no_untruth(reader: Reader) -> None:
    page = """<form><label>Name <input id=n value=Ada oninput="b.disabled = false"></label>
<button id=b disabled>Save</button></form>"""
    done = await reader.follow(page, "1. Edit the account details.\n2. Click **Save**.")
    assert not list(done.divergences())


async def test_a_question_whose_button_is_called_as_what_asked_it_is_answered(
    reader: Reader,
) -> None:
    page = """<h1>old-banner</h1><p id=o></p><button onclick="d.hidden = false">Revive flag</button>
<div id=d hidden role=dialog aria-modal=true aria-label="Revive flag?">It comes back.
<button style="background:none">Cancel</button><button style="background:#1a56db;color:#fff"
 onclick="o.textContent = 'revived'; d.hidden = true">Revive flag</button></div>"""
    done = await reader.follow(page, "1. Click **Revive flag**.", flag="old-banner")
    assert await reader.value("o.textContent") == "revived"
    assert [d.kind for _, d in done.divergences()] == [DivergenceKind.MISSING_STEP]


_PLATFORM = """<main><h1>fjord-os</h1><a href="#e" onclick="m.innerText = 'Edit form'">Edit
 Platform</a><div role=tablist><button role=tab aria-selected=true>Main</button><button role=tab
 onclick="m.innerHTML = '<button>Edit</button>'">Contacts</button></div><div id=m></div></main>"""


async def test_what_a_button_is_for_is_no_reason_to_look_behind_tabs(reader: Reader) -> None:
    done = await reader.follow(_PLATFORM, "1. Click the **Edit** button.")
    assert await reader.value("m.innerText") == "Edit form"
    assert told(done) == []


async def test_what_is_said_twice_is_clicked_once(reader: Reader) -> None:
    page = (
        "<main><h1>Team</h1><a role=button tabindex=0 aria-haspopup=menu"
        ' onclick="menu.hidden = false">Add…</a>'
        '<div role=menu id=menu hidden><button role=menuitem onclick="menu.hidden = true;'
        "document.title += '+'\">Guest</button></div></main>"
    )
    text = "1. Choose **Guest** in the **Add…** menu.\n2. Select **Guest** from the menu."
    done = await reader.follow(page, text)
    assert await reader.value("document.title") == "Page+"
    assert told(done) == []


async def test_what_is_clicked_twice_is_no_choice_said_twice(reader: Reader) -> None:
    page = "<main><h1>Team</h1><button onclick='this.remove()'>Next</button><p>Done</p></main>"
    done = await reader.follow(page, "1. Click **Next**.\n2. Click **Next**.")
    assert told(done) == [("missing_control", "Next")]


async def test_the_sign_beside_a_named_entry_says_more_than_the_text(reader: Reader) -> None:
    entries = "".join(
        f"<li><a href='#{n}' aria-label='Add a new {n}' onclick=\"document.title = '{n}'\">+</a>"
        f"<a href='#l{n}'>{n}s</a></li>"
        for n in ("User", "Group")
    )
    text = '1. Click the "Add" link next to the "Groups" entry.\n2. Look at it.'
    done = await reader.follow(f"<main><h1>Admin</h1><ul>{entries}</ul></main>", text)
    assert await reader.value("document.title") == "Group"
    assert told(done) == []
