"""The closed sets of the verdict: see section 6 of the design."""

from enum import StrEnum


class Verdict(StrEnum):
    """What is said of a procedure."""

    VERIFIED = "verified"  # goal reached, path as written
    DRIFTED = "drifted"  # goal reached, but not as written
    BROKEN = "broken"  # not reachable by the text, twice
    BLOCKED = "blocked"  # log-in, quota, captcha, outage, prerequisites: nothing learnt
    UNDECIDED = "undecided"  # channels disagree, or too little was understood: a person decides


class StepStatus(StrEnum):
    """How a step went."""

    AS_WRITTEN = "as_written"
    DIVERGED = "diverged"
    SKIPPED = "skipped"  # nothing to do in the console, or its condition does not hold
    STUCK = "stuck"  # could not be carried out
    UNREACHED = "unreached"  # an earlier break left no way to it


class WayTaken(StrEnum):
    """How the steps of a procedure went, all together."""

    AS_WRITTEN = "as_written"
    DIVERGED = "diverged"  # to the end, but not as written
    STUCK = "stuck"


class PolicyName(StrEnum):
    """What chooses the actions of an attempt, the cheapest first."""

    REPLAY = "replay"  # a verified attempt is done again
    LITERAL = "literal"  # the text is carried out word by word
    MODEL = "model"  # a model is asked
    BASELINE = "baseline"  # a benchmark's own, to compare with


class PolicyChoice(StrEnum):
    """What may be asked for."""

    AUTO = "auto"  # one policy after the other, until one decides
    REPLAY = "replay"
    LITERAL = "literal"
    MODEL = "model"


class EvidenceKind(StrEnum):
    """What a piece of evidence is."""

    BEFORE = "before"  # picture
    AFTER = "after"  # picture
    DOM = "dom"  # HTML around it
    AUDIT = "audit"
    TRAJECTORY = "trajectory"  # what was thought


class DivergenceKind(StrEnum):
    """In what way the console differs from the text."""

    RENAMED_LABEL = "renamed_label"
    MOVED_CONTROL = "moved_control"
    MISSING_CONTROL = "missing_control"
    MISSING_STEP = "missing_step"
    EXTRA_STEP = "extra_step"
    CHANGED_OPTION = "changed_option"
    CHANGED_DEFAULT = "changed_default"
    WRONG_ORDER = "wrong_order"
    WRONG_RESULT = "wrong_result"
    MISSING_PREREQUISITE = "missing_prerequisite"
    PERMISSION = "permission"
    ERROR_SHOWN = "error_shown"
    AMBIGUOUS_TEXT = "ambiguous_text"
    DEAD_LINK = "dead_link"


class Basis(StrEnum):
    """What a divergence rests on: how it was seen, and how that was told from the text."""

    UNKNOWN = ""  # of an appliance that did not keep it
    READ = "read"  # the page shows something else
    NEARLY = "nearly"  # the name is the same but for strokes, or for one and many
    ALIKE = "alike"  # something of a similar name was taken for it
    PLACE = "place"  # something was taken for it by its place alone
    ELSEWHERE = "elsewhere"  # it was found, in another place or order
    ABSENT = "absent"  # it was looked for, and is nowhere
    REQUIRED = "required"  # the console wants something that the text leaves out
    REFUSED = "refused"  # the console says no, or has an error
    UNSEEN = "unseen"  # what was to come of it did not come
    GUESS = "guess"  # something resembles it, and nothing proved that it is meant
    TOLD = "told"  # a model that did it says so
    TOLD_SEEN = "told_seen"  # as above, and pages bear it out: what it names instead is there, or
    # none of them has shown the label that it misses
    QUOTED = "quoted"  # a model that was asked about the sentence alone quotes the page against it
    DOUBTFUL = "doubtful"  # too little to be said of a document: kept in the trajectory only


class Severity(StrEnum):
    """How much a reader is hurt."""

    BREAKS = "breaks"  # the reader cannot go on
    MISLEADS = "misleads"  # the reader looks for something that is not there
    COSMETIC = "cosmetic"  # the reader finds it at once


class GoalChannel(StrEnum):
    """Who says whether the goal was reached."""

    AUDIT = "audit"
    JUDGES = "judges"
    LISTS = "lists"  # what the console's lists have when they are opened again
    UI = "ui"


class AfterChange(StrEnum):
    """What came of carrying a procedure out once more with a finding's suggestion in its text."""

    UNTRIED = ""
    VERIFIED = "verified"
    FAILED = "failed"
