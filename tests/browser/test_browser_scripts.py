"""The observer's parts share one scope: no name may stand in two of them."""

import re
from collections import Counter

from appliance.browser._scripts import PARTS, _read

DECLARED = re.compile(
    r"^(?:async )?(?:function\*?|class|const|let|var)\s+(?:(\w+)|[\[{]([^\]}]*)[\]}])", re.MULTILINE
)


def test_no_part_of_the_observer_takes_anothers_name() -> None:
    """A second function of a name silently replaces the first, which calls of both then reach."""
    names = Counter(
        name
        for part in PARTS
        for one, several in DECLARED.findall(_read(part))
        for name in (one, *re.findall(r"\w+", several))
        if name
    )
    assert {"written", "boxesOf", "APART", "reading"} <= set(names)  # they are found at all
    assert [name for name, times in names.items() if times > 1] == []
