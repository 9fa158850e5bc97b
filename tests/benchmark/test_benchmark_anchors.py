"""Every marked word of the bundled documentation names one place of the product data."""

import pytest

from appliance.benchmark.drift.claim import Facet
from appliance.benchmark.drift.judge import ClaimCatalogue
from appliance.benchmark.drift.mark_meanings import MarkMeanings
from appliance.benchmark.drift.marks import marks_of
from appliance.benchmark.drift.spots import Spots, says
from appliance.benchmark.drift.walk import ReaderPosition
from appliance.documents import FORMATS, load_documents
from appliance.practice.releases import DOCUMENTATION, catalogue, releases

DOCUMENTS = sorted(file.name for file in DOCUMENTATION.iterdir() if file.suffix in FORMATS)
BASE = catalogue(releases()[0])
SPOTS = Spots(BASE)
BY_HAND = MarkMeanings(DOCUMENTATION)


def walks(name):
    for document in load_documents([DOCUMENTATION / name]):
        for procedure in document.procedures:
            yield ReaderPosition(SPOTS, procedure, BY_HAND).go()


@pytest.mark.parametrize("name", DOCUMENTS)
def test_every_mark_names_one_place_or_is_answered_by_hand(name):
    assert [str(one) for walk in walks(name) for one in walk.open] == []


@pytest.mark.parametrize("name", DOCUMENTS)
def test_every_mark_says_what_the_product_data_says(name):
    for walk in walks(name):
        for named in walk.named:
            shown = named.spot.text.in_language(walk.procedure.language)
            assert says(shown, named.mark.text), (named.mark.line, named.spot.path)


@pytest.mark.parametrize("name", DOCUMENTS)
def test_everything_that_is_claimed_holds_in_the_first_release(name, reads):
    held = ClaimCatalogue(BASE)
    for read in reads:
        if read.document == name:
            for claim in read.claims:
                why = held.untrue(claim, read.procedure.language, read.role)
                assert why is None, (claim.mark.line, claim.quote, claim.facet, why)


def test_no_answer_is_about_a_mark_that_is_not_there(documents):
    seen = {
        (name.rpartition(".")[0], mark.line, mark.text)
        for document in documents
        for name in [document.path.rpartition("/")[2]]
        for procedure in document.procedures
        for mark in marks_of(procedure)
    }
    assert BY_HAND.unused(seen) == []


def test_claims_are_of_every_facet(reads):
    assert {claim.facet for read in reads for claim in read.claims} == set(Facet)


def test_what_a_path_names_below_a_product_is_of_its_navigation():
    """ "Products > Identity and access > Groups": not the column of the page that opens first."""
    (walk,) = [w for w in walks("groups-and-policies.html") if "create-a-group" in w.procedure.id]
    assert walk.named[2].spot.path == "identity.navigation.identities.entries.groups.label"
