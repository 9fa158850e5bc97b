"""Limits, formats and what must be filled in: read in the text, and held against the field."""

import pytest

from appliance.core.claims import ClaimStatus
from appliance.documents import parse_document
from appliance.policy.literal.read.facts import facts_of
from appliance.verification.claims import claims_of
from tests.policy.policy_reader import Reader, told

READ = {
    "A name of 3 to 63 characters: lower-case letters, digits and hyphens.": [
        "length 3-63", "characters digit hyphen lower",
    ],
    "Between 3 and 20 characters long.": ["length 3-20"],
    "It must have at least ten characters.": ["length 10-"],
    "Ten characters are the minimum.": ["length 10-"],
    "It cannot be longer than 63 characters.": ["length -63"],
    "More than 3 characters.": ["length 4-"],
    "Names shorter than 3 characters are refused.": ["length 3-"],
    "8 characters or more.": ["length 8-"],
    "Maximum length: 255 characters": ["length -255"],
    "Exactly 6 characters.": ["length 6-6"],
    "A number between 1 and 65,535.": ["range 1-65535"],
    "Between 10 and 500 GB.": ["range 10-500 GB"],
    "1–100": ["range 1-100"],
    "Windows of more than 12 hours are not possible.": ["range -12 hours"],
    "Lower-case letters and digits, beginning with a letter.": [
        "characters digit lower", "beginning letter",
    ],
    "capital letters only": ["characters upper"],
    "It can contain letters, numbers, underscores (_), and hyphens (-).": [
        "characters digit hyphen letter underscore",
    ],
    "Begin and end with a letter or digit.": ["beginning digit letter", "ending digit letter"],
    "Optional. What it is for.": ["optional"],
    "This field is required.": ["required"],
    "It must not be left empty.": ["required"],
    "You may also leave it empty.": ["optional"],
    "Leave it empty.": ["empty"],
    "长度为 3 到 63 个字符，只能包含小写字母、数字和连字符。": [
        "length 3-63", "characters digit hyphen lower",
    ],
    "最多输入 255 个字符。": ["length -255"],
    "长度不超过128个字符。": ["length -128"],
    "至少 2 个字符。": ["length 2-"],
    "取值范围为 10 到 2000 GiB，默认为 40 GiB。": ["range 10-2000 GiB"],
    "以字母或数字开头和结尾。": ["beginning digit letter", "ending digit letter"],
    "必填。": ["required"],
    "非必填，不超过 20 个字符。": ["optional", "length -20"],
    "可选，说明用途。": ["optional"],
}  # fmt: skip
UNREAD = [
    "About 20 characters.",
    "Usually between 10 and 20 GB is enough.",
    "It has two virtual processors and 4 GiB of memory.",
    "From 03:30 to 04:30.",
    "From 2026-10-01 to 2026-11-01.",
    "The range 10.0.0.0/16.",
    "The password must contain letters and digits.",
    "Leave it empty if you have none.",
    "It is required for e-mail.",
    "建议不超过 20 个字符。",
    "留空时对整个存储桶生效。",
    "密码必须包含字母和数字。",
]


def short(text: str) -> list[str]:
    """What is read, in a few words."""
    out = []
    for fact in facts_of(text):
        low, high = ("" if n is None else f"{n:g}" for n in fact.bounds)
        span = f"{low}-{high}" if low or high else ""
        said = [fact.kind.value, span, fact.unit, *sorted(fact.characters)]
        out.append(" ".join(word for word in said if word))
    return out


@pytest.mark.parametrize(("text", "facts"), READ.items())
def test_a_sentence_gives_its_quantities(text: str, facts: list[str]) -> None:
    assert short(text) == facts


@pytest.mark.parametrize("text", UNREAD)
def test_what_binds_nobody_is_no_limit(text: str) -> None:
    assert facts_of(text) == ()


FORMS = {
    "attributes": """<p><label>Name <input minlength=3 maxlength=63 pattern="[a-z0-9\\-]+" required>
        </label></p><p><label>Size <input type=number min=10 max=500></label> GB</p>
        <p><label>Note (optional) <textarea maxlength=200></textarea></label></p>""",
    "help in a table": """<table><tr><td><label for=n>Name</label></td><td>
        <input id=n aria-describedby=h aria-required=true><small id=h>3 to 63 characters:
        lower-case letters, digits and hyphens.</small></td></tr>
        <tr><td><label for=s>Size</label></td><td><input id=s type=number aria-describedby=g>
        <small id=g>Between 10 and 500 GB.</small></td></tr>
        <tr><td><label for=o>Note</label></td><td><input id=o aria-describedby=q>
        <span id=q>Optional. At most 200 characters.</span></td></tr></table>""",
    "texts below": """<div><label for=n>* Name</label><br><input id=n>
        <p>Between 3 and 63 characters long. Lower-case letters, digits and hyphens only.</p></div>
        <div style="margin-top:90px"><label for=s>Size</label><br>
        <input id=s type=range min=10 max=500 value=20>
        <p>GB</p></div>
        <div style="margin-top:90px"><label for=o>Note (optional)</label><br><input id=o>
        <p>Up to 200 characters.</p></div>""",
}  # fmt: skip
LIES = [
    ("Name", "At most 4 characters.", "At most 4 characters"),
    ("Name", "It can have up to 64 characters.", "up to 64 characters"),
    ("Name", "2 to 63 characters.", "2 to 63 characters"),
    ("Name", "Capital letters only.", "Capital letters only"),
    ("Name", "Lower-case letters, digits, hyphens and spaces.",
     "Lower-case letters, digits, hyphens and spaces"),
    ("Size", "Between 1 and 500 GB.", "Between 1 and 500 GB"),
    ("Size", "A number from 10 to 1000.", "from 10 to 1000"),
    ("Note", "Up to 2000 characters.", "Up to 2000 characters"),
    ("Note", "Required.", "Required"),
]  # fmt: skip
OPEN = [
    ("Name", "Enter 5 to 10 characters."),  # may be so chosen
    ("Name", "Letters, digits and hyphens."),  # says nothing of their case
    ("Size", "Between 10 and 500 TB."),  # another unit is another quantity
    ("Note", "At least 3 characters."),  # nobody says anything of the least
    ("Code", "At least 2 characters."),  # what must be filled in may need more than one
]


def entries(*rows: tuple[str, str]) -> str:
    """A step with a table of fields."""
    body = "".join(f"   | **{name}** | {text} |\n" for name, text in rows)
    return f"1. Fill in:\n\n   | Field | Value |\n   | --- | --- |\n{body}"


async def seen(reader: Reader, form: str, steps: str) -> tuple[dict[str, ClaimStatus], list]:
    """What became of each claim, and what was reported."""
    done = await reader.follow(f"<main><h1>Create</h1><form>{form}</form></main>", steps)
    said = parse_document(f"# T\n\n{steps}\n", "docs/a.md", "markdown").procedures[0]
    return {c.text: c.status for c in claims_of(said, done, ())}, told(done)


@pytest.mark.parametrize("make", FORMS)
async def test_what_the_page_says_too_is_confirmed(reader: Reader, make: str) -> None:
    rows = [("Name", "Required. 3 to 63 characters: lower-case letters, digits and hyphens."),
            ("Size", "Between 10 and 500 GB."),
            ("Note", "Optional. At most 200 characters.")]  # fmt: skip
    claims, reported = await seen(reader, FORMS[make], entries(*rows))
    assert reported == []
    assert set(claims.values()) == {ClaimStatus.CONFIRMED}, claims
    assert {
        "3 to 63 characters",
        "Between 10 and 500 GB",
        "At most 200 characters",
    } <= claims.keys()


@pytest.mark.parametrize("make", FORMS)
async def test_another_limit_is_contradicted_at_its_words(reader: Reader, make: str) -> None:
    for name, text, words in LIES:
        claims, reported = await seen(reader, FORMS[make], entries((name, text)))
        assert [quote for _, quote in reported] == [words], text
        assert claims[words] is not ClaimStatus.CONFIRMED


@pytest.mark.parametrize("make", FORMS)
async def test_what_may_be_so_is_left_open(reader: Reader, make: str) -> None:
    code = "<p><label>Code <input required></label></p>"
    for name, text in OPEN:
        form = f"{FORMS[make]}{code}"
        claims, reported = await seen(reader, form, entries((name, text)))
        assert reported == [], text
        assert ClaimStatus.NOT_CHECKED in claims.values(), text


PROSE = [
    ("Enter a name in **Name**. It must have 3 to 63 characters.", "3 to 63 characters",
     "It must have 3 to 64 characters.", "3 to 64 characters"),
    ("Enter a **Note** of at most 200 characters and a **Name**.", "at most 200 characters",
     "Enter a **Note** of at most 250 characters and a **Name**.", "at most 250 characters"),
    ("Set **Size** to `20`. The value is between 10 and 500 GB.", "between 10 and 500 GB",
     "Set **Size** to `20`. The value is between 5 and 500 GB.", "between 5 and 500 GB"),
]  # fmt: skip


@pytest.mark.parametrize(("true", "right", "lie", "wrong"), PROSE)
async def test_in_prose_too(reader: Reader, true: str, right: str, lie: str, wrong: str) -> None:
    if lie.startswith("It"):
        lie = f"Enter a name in **Name**. {lie}"
    claims, reported = await seen(reader, FORMS["attributes"], f"1. {true}")
    assert (reported, claims[right]) == ([], ClaimStatus.CONFIRMED)
    _, reported = await seen(reader, FORMS["attributes"], f"1. {lie}")
    assert [quote for _, quote in reported] == [wrong]


ZH = """<label>名称 <input minlength=3 maxlength=63 required aria-describedby=h></label>
<small id=h>只能使用小写字母、数字和连字符，并以字母开头。</small>
<label>容量 <input type=number min=10 max=2000 aria-describedby=g></label>
<small id=g>10 到 2000 GiB</small>"""


async def test_in_chinese_too(reader: Reader) -> None:
    lead = "1. 填写以下参数：\n\n   | 参数 | 说明 |\n   | --- | --- |\n"
    true = (
        "   | **名称** | 必填。长度为 3 到 63 个字符，只能包含小写字母、数字和连字符，"
        "以字母开头。 |\n"
        "   | **容量** | 取值范围为 10 到 2000 GiB。 |\n"
    )
    claims, reported = await seen(reader, ZH, lead + true)
    assert (reported, set(claims.values())) == ([], {ClaimStatus.CONFIRMED})
    for right, wrong in (("3 到 63", "3 到 64"), ("小写字母", "大写字母"), ("2000", "3000")):
        claims, reported = await seen(reader, ZH, lead + true.replace(right, wrong))
        assert len(reported) == 1, wrong
        assert wrong in reported[0][1]


async def test_another_field_s_help_says_nothing_of_this_one(reader: Reader) -> None:
    form = """<label>Name <input></label><br><label>Description <input aria-describedby=d></label>
    <p id=d>At most 200 characters.</p>"""
    claims, reported = await seen(reader, form, entries(("Name", "At most 63 characters.")))
    assert reported == []
    assert claims["At most 63 characters"] is ClaimStatus.NOT_CHECKED


@pytest.mark.parametrize(
    ("step", "reported"),
    [
        ("Optional: set **Name** to `abc`.", [("missing_step", "Optional")]),
        ("Optional: set **Note** to `abc`.", []),
        ("Optional: set **Note** to `abc` and **Name** to `abc`.", []),  # together, perhaps
        ("Choose **A** as the **Zone**. It must not be left empty.",
         [("wrong_result", "must not be left empty")]),
        ("Set **Note** to `abc`. The comment is mandatory: nothing is saved without one.",
         [("wrong_result", "is mandatory")]),
    ],
)  # fmt: skip
async def test_what_may_be_left_out_and_what_may_not(
    reader: Reader, step: str, reported: list[tuple[str, str]]
) -> None:
    zone = "<p><label>Zone <select><option></option><option>A</option></select></label></p>"
    _, seen_untrue = await seen(reader, FORMS["attributes"] + zone, f"1. {step}")
    assert seen_untrue == reported
