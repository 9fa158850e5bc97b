"""Known secrets are found in any form in which a console or a program may write them."""

import json
from base64 import b64encode, urlsafe_b64encode
from html import escape
from unicodedata import normalize
from urllib.parse import quote, quote_plus

import pytest
from hypothesis import given
from hypothesis import strategies as st

from appliance.core import secrets
from appliance.core.secrets import (
    html_without_secrets,
    learn,
    learn_typed,
    masked,
    sought,
    spans_of_secrets,
    without_secrets,
)

SECRET = 'Zq7/tan&"ger<ine'

FORMS = {
    "plain": SECRET,
    "upper": SECRET.upper(),
    "lower": SECRET.lower(),
    "address": quote(SECRET, safe=""),
    "small address": quote(SECRET, safe="").lower(),
    "form": quote_plus(SECRET),
    "json": json.dumps(SECRET)[1:-1],
    "html": escape(SECRET),
    "hex": SECRET.encode().hex(),
    "wrapped": 'Zq7/t\n   an&\u00a0"ger<ine',
    "broken": 'Zq7/\u00adtan&"\u200bger<ine',
    "spelled": " ".join(SECRET),
}


@pytest.mark.parametrize("form", FORMS.values(), ids=FORMS)
def test_a_secret_is_masked_in_every_form(form):
    learn(SECRET)
    assert without_secrets(f"with {form}, they say") == "with ***, they say"
    assert [(5, 5 + len(form))] == spans_of_secrets(f"with {form}, they say")


@pytest.mark.parametrize(
    ("secret", "shown"),
    [
        ("geheim-größe-Ω1", "Geheim-Größe-Ω1"),
        ("correct horse 7", "Correct Horse 7"),
        ("correct horse 7", "Correct horse 7"),
        ("geheim-größe-1", normalize("NFD", "geheim-größe-1")),
        ("geheim-größe-1", normalize("NFD", "GEHEIM-GRÖSSE-1")),
        (normalize("NFD", "geheim-größe-1"), "geheim-größe-1"),
        ("geheim-größe-1", quote(normalize("NFD", "geheim-größe-1"))),
    ],
)
def test_as_a_style_sheet_or_another_system_writes_it(secret, shown):
    learn(secret)
    assert without_secrets(f"with {shown}, they say") == "with ***, they say"


def test_a_short_one_is_not_looked_for_in_other_letters():
    learn("éab")
    learn("xéb")
    text = f"Éabend {normalize('NFD', 'éabend')} Xéb-el"
    assert without_secrets(text) == text


@pytest.mark.parametrize("user", ["", "a", "al", "ali", "alice"])
@pytest.mark.parametrize("encode", [b64encode, urlsafe_b64encode])
@pytest.mark.parametrize("secret", ["kR-93?>~fox", "kR-93?>~foxe", "kR-93?>~foxes"])
def test_of_a_header_only_what_stands_before_the_secret_is_left(user, encode, secret):
    learn(secret)
    left = without_secrets(encode(f"{user}:{secret}".encode()).decode()).partition("***")
    assert len(left[0]) <= (len(user) + 1) * 8 / 6 + 1
    assert left[2] in ("", "=", "==")


@pytest.mark.parametrize(
    ("shown", "left"),
    [
        ("<p><b>Zq7</b>/tan<i>gerine</i>.</p>", "<p><b>***</b><i></i>.</p>"),
        ('<a href="/x?p=Zq7%2Ftangerine">Go</a>', '<a href="/x?p=***">Go</a>'),
        ("<p>Zq7/<!-- -->tan&shy;gerine</p>", "<p>***<!-- --></p>"),
        ("<pre>Zq7/tan\n  gerine</pre>", "<pre>***</pre>"),
        ("<p>Zq7/tangerin…", "<p>***…"),
        ("<p>Zq7 and tangerine</p>", "<p>Zq7 and tangerine</p>"),
    ],
)
def test_in_html_tags_part_no_secret_and_stay(shown, left):
    learn("Zq7/tangerine")
    assert html_without_secrets(shown) == left


@pytest.mark.parametrize("length", range(4, 13))
def test_what_is_left_of_a_secret_where_a_text_was_cut_is_masked(length):
    learn("Zq7/tangerine")
    assert without_secrets(f"key={'Zq7/tangerine'[:length]}…") == "key=***…"
    assert without_secrets(f"key: {'Zq7/tangerine'[:length]}... and") == "key: ***... and"


def test_a_short_secret_is_masked_where_it_stands_alone():
    learn("abc")
    learn("wxyz")
    assert without_secrets("abc abcd xabc (abc) a b c, wxyz vwxyz w xyz") == (
        "*** abcd xabc (***) a b c, *** v*** w xyz"
    )


def test_a_secret_for_a_while_is_an_ordinary_number_then():
    learn("918273", for_s=-1.0)
    before = sought()
    assert without_secrets("918273") == "918273"
    learn("918273", for_s=60.0)
    assert sought() is not before
    assert without_secrets("it is 918 273") == "it is ***"
    until = secrets._registry.secrets["918273"]
    learn("918273", for_s=1.0)
    assert secrets._registry.secrets["918273"] == until, (
        "it is known for the longest that was asked"
    )


def test_what_is_typed_into_a_password_field_is_a_secret_unless_it_is_a_word():
    for typed in ("password", "swordfish", "123456", "a1", "Fresh-one-1"):
        learn_typed(typed)
    text = "password swordfish 123456 a1 Fresh-one-1"
    assert without_secrets(text) == "password swordfish 123456 a1 ***"


def test_json_is_masked_in_its_texts():
    learn("Zq7/tangerine")
    told = {"a": ["x Zq7/tangerine", 7, None, True], "b": {"c": "Zq7%2Ftangerine"}}
    assert masked(told) == {"a": ["x ***", 7, None, True], "b": {"c": "***"}}


@given(
    st.text(min_size=6, max_size=30).filter(lambda s: len("".join(s.split())) >= 6),
    st.text(max_size=80),
    st.text(max_size=80),
)
def test_no_secret_of_any_characters_is_left(secret, before, after):
    learn(secret)
    assert secret not in without_secrets(before + secret + after).replace("***", "")
    assert secret not in html_without_secrets(before + secret + after).replace("***", "")
