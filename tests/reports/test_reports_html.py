import io
import re
from base64 import b64decode, b64encode
from collections.abc import Callable
from dataclasses import replace
from hashlib import sha256
from importlib.resources import files
from itertools import pairwise
from typing import Any, Protocol

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from PIL import Image as Picture
from PIL import ImageDraw
from selectolax.lexbor import LexborHTMLParser

from appliance.core.claims import Claim, ClaimKind, ClaimStatus
from appliance.core.result import ArtifactRef, Evidence, Goal, RunResult
from appliance.core.verdict import Verdict
from appliance.reports import html_report, json_result
from appliance.reports._images import Album

MakeRun = Callable[..., RunResult]

NASTY = st.text() | st.sampled_from(
    [
        "<script>alert(1)</script>",
        "</style><script>alert(1)</script>",
        "--><img src=x>",
        '" onmouseover="alert(1)',
        "' onfocus='alert(1)",
        "javascript:alert(1)",
        "{{ 7*7 }}",
        "</textarea><svg onload=alert(1)>",
        "&lt;b&gt;",
        "\u202eevil",
        "]]>",
        "`code`",
    ]
)


class Folder(Protocol):
    kept: dict[str, bytes]
    reads: list[str]

    def put(self, data: bytes, media_type: str) -> ArtifactRef: ...
    def get(self, ref: ArtifactRef) -> bytes: ...


@pytest.fixture
def page(night: RunResult, documents: dict[str, str], folder: Folder) -> LexborHTMLParser:
    return LexborHTMLParser(html_report(night, documents.get, folder.get))


def texts(page: LexborHTMLParser, selector: str) -> list[str]:
    return [" ".join(node.text().split()) for node in page.css(selector)]


def test_the_page_starts_with_the_run_in_a_sentence(page: LexborHTMLParser) -> None:
    assert texts(page, "h1") == [
        "4 of 14 procedures have drifted and 1 is broken; 5 sentences to change."
    ]
    assert texts(page, ".second") == ["3 procedures without a verdict: 2 blocked, 1 undecided."]
    assert texts(page, ".facts dd") == [
        "practice, release 2026.7",
        "literal",
        "Sunday, 12 July 2026, 02:00 UTC",
        "3 min 5 s",
        "3",
        "0.1.0, commit c0ffeec0ffee",
    ]
    assert texts(page, ".filter button") == [
        "14 all",
        "6 verified",
        "4 drifted",
        "1 broken",
        "2 blocked",
        "1 undecided",
    ]


def claimed(kind: ClaimKind, status: ClaimStatus, reason: str = "") -> Claim:
    place = {"line": 1, "column": 1, "end_line": 1, "end_column": 9}
    return Claim(kind=kind, status=status, text="Create", step="1", reason=reason, **place)


@pytest.mark.parametrize(
    ("language", "checked", "unchecked"),
    [
        ("en", ["a control 2", "a title 1"], ["nothing on the page says so 1"]),
        ("zh", ["控件 2", "标题 1"], ["页面上没有显示 1"]),
    ],
)
def test_the_first_screen_says_what_is_wrong_what_was_checked_and_what_was_not(
    night: RunResult,
    documents: dict[str, str],
    folder: Folder,
    language: Any,
    checked: list[str],
    unchecked: list[str],
) -> None:
    claims = (
        claimed(ClaimKind.CONTROL, ClaimStatus.CONFIRMED),
        claimed(ClaimKind.CONTROL, ClaimStatus.CONTRADICTED),
        claimed(ClaimKind.TITLE, ClaimStatus.CONFIRMED),
        claimed(ClaimKind.STATE, ClaimStatus.NOT_CHECKED, "nothing on the page says so"),
    )
    first, *others = night.procedures
    run = replace(night, procedures=(replace(first, claims=claims), *others))
    page = LexborHTMLParser(html_report(run, documents.get, folder.get, language=language))
    amounts = [line.split()[0] for line in texts(page, ".glance .amount")]
    assert amounts == [str(run.summary.findings), "3", "1"]
    links = [link.attributes["href"] or "" for link in page.css(".glance .broken a")]
    assert links and all(page.css_first(link) is not None for link in links)
    assert texts(page, ".glance .verified li") == checked
    assert texts(page, ".glance .unchecked li") == unchecked


def test_findings_come_by_document_and_line(page: LexborHTMLParser) -> None:
    assert texts(page, ".document h3 .file") == [
        "docs/network/networks.rst",
        "docs/storage/buckets.md",
        "docs/zh/instances.md",
    ]
    assert texts(page, ".finding .tags .place") == [
        "docs/network/networks.rst:8:58",
        "docs/network/networks.rst:10:42",
        "docs/storage/buckets.md:6:12",
        "docs/storage/buckets.md:8:36",
        "docs/storage/buckets.md:16:6",
        "docs/storage/buckets.md:22:12",
        "docs/zh/instances.md:7:9",
    ]


def rows(page: LexborHTMLParser, anchor: str) -> list[tuple[str, str]]:
    return [
        (row.attributes["class"] or "", row.css_first("td.code").text())
        for row in page.css(f"#{anchor} .diff tr")
    ]


def test_a_finding_shows_old_and_new_in_context(page: LexborHTMLParser) -> None:
    assert rows(page, "finding-1") == [
        ("context", "1. Go to **Storage** > **Buckets**."),
        ("old", "2. Click **Create Bucket**."),
        ("new", "2. Click **New bucket**."),
        ("context", "3. In **Name**, type a name."),
    ]
    assert texts(page, "#finding-1 .diff mark") == ["Create Bucket", "New bucket"]
    assert texts(page, "#finding-1 .shown") == ["Console shows: a button named “New bucket”"]
    assert (
        "docs/storage/buckets/create-a-bucket --console practice"
        in texts(page, "#finding-1 .command code")[0]
    )


def test_words_over_two_lines_are_marked_on_both(page: LexborHTMLParser) -> None:
    assert rows(page, "finding-3")[1:5] == [
        ("old", "   **Delete"),
        ("old", "   Bucket**, then confirm."),
        ("new", "   **Remove"),
        ("new", "   bucket**, then confirm."),
    ]


def test_the_indentation_of_a_second_line_is_not_marked(page: LexborHTMLParser) -> None:
    marks = [node.text() for node in page.css("#finding-3 .diff mark")]
    assert marks == ["Delete", "Bucket", "Remove", "bucket"]


def test_without_a_suggestion_the_line_is_shown_with_what_to_do(page: LexborHTMLParser) -> None:
    assert rows(page, "finding-4") == [("here", "1. Click **Rename** in the bucket's row.")]
    assert "no control of this name there" in texts(page, "#finding-4 > .note")[0]


def test_a_guess_is_called_one(page: LexborHTMLParser) -> None:
    assert texts(page, "#finding-6 > .note") == [
        "It is not in the patch: it is not sure enough: 0.40."
    ]


def test_places_with_the_same_cause_are_linked(page: LexborHTMLParser) -> None:
    assert texts(page, "#finding-1 .siblings") == [
        "Same cause in 1 other place: docs/zh/instances.md:7"
    ]


@pytest.mark.parametrize("text", [None, "Something else entirely\n"])
def test_a_document_that_changed_or_went_is_said_so(
    one_finding: MakeRun, folder: Folder, text: str | None
) -> None:
    page = LexborHTMLParser(html_report(one_finding(), lambda _: text, folder.get))
    assert rows(page, "finding-1") == [("old", "Create Bucket"), ("new", "New bucket")]
    said = "could not be read" if text is None else "does not say this at this place any more"
    assert said in texts(page, "#finding-1 .note")[0]


def test_what_has_no_verdict_says_why_and_what_to_do(page: LexborHTMLParser) -> None:
    first = texts(page, "article.open")[0]
    assert first.startswith("blocked 删除实例 docs/zh/instances.md:9 Why: The network “net-7f3a”")
    assert "What to do: Make what the procedure needs, or name it under needs in its" in first
    assert page.css_first("article.open code").text() == "needs"


def test_goals_that_rest_on_the_page_alone_say_so(page: LexborHTMLParser) -> None:
    goals = texts(page, ".procedure .goal")
    assert goals[0] == "The goal was reached; the audit log is the witness."
    assert goals[1].startswith("The goal was reached by the evidence of the page alone: no audit")
    assert goals[2] == "The goal was not reached."
    assert goals[5] == "Not tried: no attempt was made."
    assert goals[7] == "Nobody can say whether the goal was reached."


def test_steps_have_status_in_words_and_a_picture(page: LexborHTMLParser) -> None:
    assert texts(page, "#procedure-3 .steps .status") == [
        "could not be carried out · line 22 · No control of that name on the page.",
        "not reached · line 23 · Step 1 left no way to it.",
    ]
    assert len(page.css("#procedure-3 .steps .shot")) == 2  # before and after of the stuck one


def test_every_picture_is_there_once_and_shown_where_it_belongs(
    page: LexborHTMLParser, folder: Folder
) -> None:
    ids = {node.attributes["id"] for node in page.css("symbol")}
    assert len(ids) == sum(data.startswith(b"\x89PNG") for data in folder.kept.values())
    assert len(page.css(".shot")) > len(ids)
    assert {(use.attributes["href"] or "")[1:] for use in page.css(".shot use")} == ids


def test_each_artifact_is_read_once(
    night: RunResult, documents: dict[str, str], folder: Folder
) -> None:
    html_report(night, documents.get, folder.get)
    pictures = [name for name in folder.reads if folder.kept[name].startswith(b"\x89PNG")]
    assert len(set(pictures)) == len(pictures)


def test_pictures_beyond_the_budget_are_left_out_and_said(
    night: RunResult, documents: dict[str, str], folder: Folder
) -> None:
    one = html_report(night, documents.get, folder.get, picture_budget=200)
    page = LexborHTMLParser(one)
    assert len(page.css("symbol")) == 1  # that of the first finding
    assert page.css("#finding-1 .shot")
    assert "screenshots left out to keep it small" in texts(page, ".end")[0]


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"<svg onload=alert(1)>",
        b"\x89PNG\r\n\x1a\n",
        b"\xff\xd8\xff\xe0\x00",
        b"RIFF\x0a\x00\x00\x00WEBPVP8 \x00",
        b"RIFF\x16\x00\x00\x00WEBPVP8 " + bytes(18),
        b"RIFF\x16\x00\x00\x00WAVEVP8X" + bytes(18),
        None,
    ],
)
def test_what_is_no_picture_is_not_shown(
    one_finding: MakeRun, folder: Folder, data: bytes | None
) -> None:
    ref = folder.put(data or b"gone", "image/png")
    if data is None:
        del folder.kept[ref.sha256]
    run = one_finding(evidence=(Evidence(kind="before", caption="Before", artifact=ref),), step="9")
    page = LexborHTMLParser(html_report(run, lambda _: None, folder.get))
    assert not page.css("#finding-1 .shot")
    assert texts(page, "#finding-1 details h5") == ["Before"]


@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP"])
def test_every_kind_of_picture_is_shown_at_its_size(kind: str) -> None:
    album, refs = album_of(Picture.new("P", (1280, 901), 3), kind=kind)
    image = album.image(refs[0])
    assert image is not None
    assert (image.width, image.height, image.beneath) == (1280, 901, "")
    assert image.area == (0, 0, 1280, 901)


def album_of(*pictures: Picture.Image, kind: str = "PNG") -> tuple[Album, list[ArtifactRef]]:
    kept: dict[str, bytes] = {}
    refs = []
    for number, picture in enumerate(pictures):
        written = io.BytesIO()
        picture.convert("RGB").save(written, kind)
        refs.append(ArtifactRef(f"{number:064}", f"image/{kind.lower()}", written.tell()))
        kept[refs[-1].sha256] = written.getvalue()
    return Album(lambda ref: kept[ref.sha256]), refs


def test_of_a_picture_like_another_only_what_differs_is_kept() -> None:
    first = Picture.effect_noise((640, 480), 90).convert("RGB")
    framed = first.copy()
    ImageDraw.Draw(framed).rectangle((100, 50, 219, 89), outline="red", width=3)
    typed = framed.copy()
    typed.putpixel((110, 60), (0, 255, 0))
    other = Picture.new("RGB", first.size, "white")
    album, refs = album_of(first, framed, typed, first.copy(), other, first.resize((320, 240)))
    for ref in refs:
        album.image(ref)
    shown = album.all_images()
    assert [(image.beneath, image.area) for image in shown] == [
        ("", (0, 0, 640, 480)),
        ("image-1", (100, 50, 120, 40)),
        ("image-2", (110, 60, 1, 1)),
        ("", (0, 0, 640, 480)),
        ("", (0, 0, 320, 240)),
    ]
    assert album.image(refs[3]) is shown[0]  # the same pixels in another file
    part = Picture.open(io.BytesIO(b64decode(shown[1].data)))
    assert (part.format, part.size) == ("WEBP", (120, 40))
    assert len(shown[1].data) < len(shown[0].data) / 4


def test_the_page_is_whole_and_loads_nothing(page: LexborHTMLParser) -> None:
    script = page.css("script")[-1].text(strip=False)
    digest = b64encode(sha256(script.encode()).digest()).decode()
    policy = page.css_first("meta[http-equiv]").attributes["content"] or ""
    assert policy.startswith("default-src 'none'; img-src data:; ")
    assert f"script-src 'sha256-{digest}'" in policy
    assert not page.css(
        "link, iframe, object, embed, script[src], video, audio, base, form[action]"
    )
    html = page.html or ""
    assert not re.search(r"""(?:src|href|action|url\()\s*=?\s*["'(]?\s*(?:https?:)?//""", html)


def test_the_outline_is_in_order_and_everything_has_a_name(page: LexborHTMLParser) -> None:
    assert page.css_first("html").attributes["lang"] == "en"
    levels = [int(node.tag[1]) for node in page.css("h1, h2, h3, h4, h5")]
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert all(after <= before + 1 for before, after in pairwise(levels))
    ids = [node.attributes["id"] for node in page.css("[id]")]
    assert len(set(ids)) == len(ids)
    for link in page.css("a[href^='#']"):
        assert (link.attributes["href"] or "")[1:] in ids
    for node in page.css("[aria-labelledby]"):
        assert node.attributes["aria-labelledby"] in ids
    for button in page.css("button"):
        assert button.attributes.get("aria-label") or button.text().strip()
    for tag in ("header", "nav", "main", "footer"):
        assert page.css_first(f"body > {tag}") is not None


def test_chinese_is_marked_for_the_right_glyphs(page: LexborHTMLParser) -> None:
    marked = texts(page, "[lang='zh-Hans']")
    assert "创建实例" in marked
    assert (
        "3. 单击 确认创建，实例状态变为 `运行中`。".replace(" 确认创建", " **确认创建**") in marked
    )


def test_a_run_without_procedures_is_a_page(night: RunResult, folder: Folder) -> None:
    page = LexborHTMLParser(html_report(replace(night, procedures=()), lambda _: None, folder.get))
    assert texts(page, "h1") == ["No procedure was verified."]
    assert texts(page, "main")[0].startswith("Procedures None was verified.")


@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
@given(text=NASTY)
def test_text_from_pages_and_documents_is_never_markup(
    one_finding: MakeRun, folder: Folder, text: str
) -> None:
    plain = shape(one_finding, folder, "plain")
    assert shape(one_finding, folder, text) == plain


def shape(one_finding: MakeRun, folder: Folder, text: str) -> list[tuple[str, list[str]]]:
    """The elements and attribute names of a page with `text` wherever text can be."""
    run = one_finding(
        quote=f"q{text}",
        shown=text,
        suggestion=f"s{text}",
        document=f"d{text}",
        step=f"x{text}",
        fingerprint=text,
        evidence=(Evidence(kind="audit", caption=f"c{text}", text=f"t{text}"),),
    )
    procedure = replace(
        run.procedures[0],
        title=text,
        id=f"p{text}",
        document=f"d{text}",
        verdict=Verdict.UNDECIDED,
        prerequisites=(text,),
        blocked_by=text,
        goal=Goal(reached=True),
        decided_by=f"l{text}",
        steps=tuple(replace(s, text=text, note=f"n{text}") for s in run.procedures[0].steps),
    )
    html = html_report(
        replace(run, procedures=(procedure,), id=text, console=text), lambda _: None, folder.get
    )
    page = LexborHTMLParser(html)
    root: Any = page.root
    return [
        (node.tag, sorted(name for name in node.attributes if name != "lang"))
        for node in root.traverse()
        if node.tag not in ("tr", "td", "mark")  # a text of several lines has several rows
    ]


PALETTE = re.compile(r"--([a-z-]+): (#[0-9a-f]{6});")


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_colours_can_be_read(dark: bool) -> None:
    css = (files("appliance.reports") / "templates" / "report.css").read_text("utf-8")
    light_part, dark_part = css.split("@media screen and (prefers-color-scheme: dark)")
    colours = dict(PALETTE.findall(light_part))
    if dark:
        colours |= dict(PALETTE.findall(dark_part.split("* {")[0]))
    tones = ("text", "quiet", "link", "verified", "drifted", "broken", "blocked", "undecided")
    pairs = [(tone, back) for tone in tones for back in ("page", "card", "soft")]
    pairs += [("text", back) for back in ("old", "old-mark", "new", "new-mark", "here-mark")]
    pairs += [("old-sign", "old"), ("new-sign", "new")]
    poor = {
        pair: round(ratio, 2)
        for pair in pairs
        if (ratio := contrast(colours[pair[0]], colours[pair[1]])) < 4.5
    }
    assert poor == {}


def contrast(one: str, other: str) -> float:
    """WCAG 2 contrast ratio."""

    def luminance(colour: str) -> float:
        parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
        linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

    high, low = sorted((luminance(one), luminance(other)), reverse=True)
    return (high + 0.05) / (low + 0.05)


def test_in_chinese_only_what_others_wrote_is_english(
    night: RunResult, documents: dict[str, str], folder: Folder
) -> None:
    html = html_report(night, documents.get, folder.get, language="zh")
    page = LexborHTMLParser(html)
    (root,) = page.css("html")
    assert root.attributes["lang"] == "zh-Hans"
    assert texts(page, "h1")[0].startswith("14 个流程中有 4 个已偏离")
    for node in page.css("script, style, code, pre, kbd, [href]"):
        node.decompose()
    ours = page.body.text(separator=" ") if page.body else ""
    theirs = " ".join((json_result(night), *documents.values(), "Console Docs Appliance artifacts"))
    assert (
        set(re.findall(r"\b[A-Za-z]{4,}\b", ours)) - set(re.findall(r"\b[A-Za-z]{4,}\b", theirs))
        == set()
    )


@pytest.mark.parametrize(
    ("titles", "language"),
    [
        (("创建桶",), "zh-Hans"),
        (("创建桶", "删除桶", "Stop"), "zh-Hans"),
        (("创建桶", "Stop"), "en"),
    ],
)
def test_the_page_speaks_the_language_of_most_procedures(
    titles: tuple[str, ...], language: str, night: RunResult, folder: Folder
) -> None:
    (plain, *_) = night.procedures
    procedures = tuple(replace(plain, title=title, steps=()) for title in titles)
    html = html_report(replace(night, procedures=procedures), lambda _: None, folder.get)
    assert f'<html lang="{language}">' in html
