"""Find procedures in blocks: which sections give instructions, where each begins and ends."""

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import chain, takewhile
from pathlib import Path, PurePath

from appliance.core.procedure import (
    WAY,
    LeftOut,
    LeftOutReason,
    Procedure,
    Sentence,
    Step,
)
from appliance.documents._acting import count_actions, has_label
from appliance.documents._around import Prose, prose_in, surroundings
from appliance.documents._blocks import (
    Admonition,
    Block,
    BulletList,
    Heading,
    OrderedList,
    Paragraph,
    Parsed,
    paragraphs,
)
from appliance.documents._candidates import candidate_steps
from appliance.documents._elsewhere import why_outside_console
from appliance.documents._forms import FEWEST_FIELDS, described_form, describes_pages, form_blocks
from appliance.documents._grouping import Group, group_lists, imperative_bullets
from appliance.documents._language import (
    EXPLAINING,
    NUMBERED_HEADING,
    PREREQUISITES,
    RESULTS,
    STEP_HEADING,
    is_outcome,
    is_prerequisite,
    language_of,
    starts_with_verb,
)
from appliance.documents._limits import TooMuch
from appliance.documents._loose import Run, instruction_runs, shows_program_code
from appliance.documents._run_on import find_run_on_start
from appliance.documents._sections import Section, sections
from appliance.documents._sentences import sentences
from appliance.documents._source import Source
from appliance.documents._steps import StepReader
from appliance.documents._tasks import announces_task, asks_how, names_task
from appliance.documents._text import slug, unique
from appliance.documents._told import ProseStepReader, prose_step
from appliance.documents._way import leads_to_place

_MOST_ABOVE = 12
"""Most paragraphs of a section searched for the place where all of it is done."""


@dataclass(frozen=True, slots=True)
class DocumentOutline:
    """The title of a document and its procedures."""

    title: str
    procedures: tuple[Procedure, ...]
    left_out: tuple[LeftOut, ...] = ()
    candidates: tuple[Procedure, ...] = ()
    """Sections that only a model may take for procedures."""


@dataclass
class _Draft:
    """A procedure before it has an id and prerequisites."""

    titles: tuple[str, ...]
    start: int
    end: int
    steps: tuple[Step, ...]
    prerequisites: tuple[Sentence, ...] = ()
    results: tuple[Sentence, ...] = ()
    above: tuple[Sentence, ...] = ()
    prose: list[Prose] = field(default_factory=list)
    """The prose of its section, in and around it."""
    has_numbers: bool = True
    """Whether its steps are in a numbered list; such procedures get their ids first."""
    reason: LeftOutReason | None = None
    """Why it is not carried out in a console; None if it is."""
    is_formless: bool = False
    """Whether it does not have the form of a procedure."""
    belongs_to_other: bool = False
    """Whether its text is the prose around the steps of another procedure."""

    @property
    def needs_model(self) -> bool:
        """Whether only a model may take it for a procedure."""
        return self.is_formless or self.reason in _UNSURE


_UNSURE = (LeftOutReason.EXPLAINS, LeftOutReason.NO_CONTROL)
"""Reasons that leave a section out by its form alone."""


def _begin_at_title(
    section: Section, children: Sequence[Section], drafts_below: Sequence[Sequence[_Draft]]
) -> None:
    """Let what stands below a heading that only says "Steps" begin at the one that titles it."""
    generic = [n for n, child in enumerate(children) if child.is_generic]
    if section.title is None or len(generic) != 1:
        return
    for draft in drafts_below[generic[0]]:
        if draft.start == children[generic[0]].start:
            draft.start = section.start


@dataclass
class _Scope:
    """Context shared by everything in a section: titles, prerequisites, sentences on the place."""

    titles: tuple[str, ...] = ()
    prerequisites: tuple[Sentence, ...] = ()
    above: tuple[Sentence, ...] = ()


def find_procedures(parsed: Parsed, source: Source) -> DocumentOutline:
    """Find everything in a document that a reader could carry out."""
    root = sections(parsed)
    top = _title_section(root)
    title = spelled_out(top.title.text if top and top.title else "", source) or parsed.title
    title = title or PurePath(source.path).stem
    finder = _Finder(source)
    scope = _Scope(titles=(parsed.title,) if parsed.title and top is None else ())
    drafts = list(finder.visit(root, scope))
    left_out = tuple(
        LeftOut(
            title=(draft.titles or (title,))[-1],
            span=source.span(draft.start, draft.end),
            reason=draft.reason,
        )
        for draft in drafts
        if draft.reason is not None
    )
    procedures = _number_drafts(drafts, source, title)
    return DocumentOutline(
        title,
        tuple(p for p in procedures if not p.needs_model),
        left_out,
        tuple(p for p in procedures if p.needs_model),
    )


_EXPRESSION = re.compile(r"\{(?P<of>\w+)\.(?P<key>\w+)\}")


def spelled_out(title: str, source: Source) -> str:
    """Fill MDX expressions into a title: `# {metadata.title}`, from `export const metadata`."""

    def value(m: re.Match[str]) -> str:
        exported = rf"export const {m['of']}\s*=\s*\{{[^}}]*?\b{m['key']}\s*:\s*"
        stated = re.search(exported + r"([\"'`])(?P<value>[^\"'`\n$]+)\1", source.text)
        return stated["value"] if stated else m.group()

    return _EXPRESSION.sub(value, title)


def _title_section(root: Section) -> Section | None:
    """The section of the document's title: the first of its level, or the only one."""
    if not root.children:
        return None
    first = root.children[0]
    is_top = first.level == min(c.level for c in root.children)
    same = [c for c in root.children if c.level == first.level]
    return first if is_top and (first.level == 1 or len(same) == 1) else None


def _number_drafts(drafts: Sequence[_Draft], source: Source, title: str) -> tuple[Procedure, ...]:
    path = PurePath(source.path)
    # the folder's name also where the path was given without it, so that ids do not change with it
    folder = slug(Path(source.path).absolute().parent.name)
    prefix = [p for p in (folder, slug(path.stem)) if p]
    taken: set[str] = set()
    result = []
    # What is left out keeps its id, so that those of the others do not change with it.
    for draft in sorted(drafts, key=lambda d: (d.is_formless, not d.has_numbers, d.start)):
        titles = draft.titles or (title,)
        own_slugs = [slug(t) for t in (titles[1:] if titles[0] == title else titles)]
        name = unique(
            "/".join([*prefix, *(o for o in own_slugs or [slug(titles[-1])] if o)]), taken
        )
        is_left_out = draft.reason is not None and not draft.needs_model
        if is_left_out or draft.belongs_to_other:
            continue
        span = source.span(draft.start, draft.end)
        already_told = (*draft.prerequisites, *draft.results)
        introduction, remarks = surroundings(draft.prose, draft.steps, already_told, source)
        result.append(
            Procedure(
                id=name,
                title_path=titles,
                span=span,
                steps=draft.steps,
                prerequisites=draft.prerequisites,
                results=draft.results,
                introduction=introduction,
                above=draft.above,
                remarks=remarks,
                language=language_of(source.text[draft.start : draft.end]),
                needs_model=draft.needs_model,
            )
        )
    return tuple(sorted(result, key=lambda procedure: procedure.span.line))


@dataclass
class _Finder:
    """Visits the sections in reading order."""

    source: Source
    steps: StepReader = field(init=False)

    def __post_init__(self) -> None:
        self.steps = StepReader(self.source)

    def visit(self, section: Section, scope: _Scope) -> Iterator[_Draft]:
        """The procedures of a section and of those below it."""
        titles = scope.titles
        if section.title is not None and not (section.is_generic and titles):
            titles = (*titles, spelled_out(section.title.text, self.source))
        children = [c for c in section.children if not self._is_special(c)]
        shared = [
            s
            for c in section.children
            if c.title and PREREQUISITES.fullmatch(c.title.text)
            for s in self._all_sentences(c)
        ]
        prerequisites = [*scope.prerequisites, *shared]
        stepped = _step_sections(children)
        if stepped:
            drafts_here = [self._from_headings(section, stepped, titles, prerequisites)]
            children = [c for c in children if c not in stepped]
        else:
            drafts_here = list(self._from_blocks(section, titles, prerequisites))
        for draft in drafts_here:
            draft.above = scope.above
        scope_below = _Scope(
            titles,
            (*prerequisites, *self._stated_prerequisites(section.blocks)),
            (*scope.above, *self._labelled_sentences(section.blocks)),
        )
        drafts_below = [list(self.visit(child, scope_below)) for child in children]
        _begin_at_title(section, children, drafts_below)
        own_drafts, child_drafts = (
            _executable(drafts_here),
            [_executable(drafts) for drafts in drafts_below],
        )
        self._give_prose(
            section.blocks, own_drafts or [d for drafts in child_drafts for d in drafts][:1]
        )
        for child, drafts, all_child_drafts in zip(
            children, child_drafts, drafts_below, strict=True
        ):
            if not drafts:
                self._give_prose(_flatten(child), own_drafts)
                for draft in all_child_drafts if own_drafts else ():
                    draft.belongs_to_other = True
        if not drafts_here and not any(child_drafts):
            drafts_here = self._formless(section, titles, prerequisites)
        yield from chain(drafts_here, *drafts_below)

    def _formless(
        self, section: Section, titles: tuple[str, ...], above: Sequence[Sentence]
    ) -> list[_Draft]:
        """A titled section without the form of a procedure, if a model may find one in it."""
        steps = candidate_steps(section.blocks, self.steps) if section.title else ()
        if not steps or (why_outside_console(steps) or LeftOutReason.EXPLAINS) not in _UNSURE:
            return []
        return [
            _Draft(
                titles=titles,
                start=section.start,
                end=section.end,
                steps=steps,
                prerequisites=tuple(above),
                is_formless=True,
            )
        ]

    def _give_prose(self, blocks: Sequence[Block], drafts: Sequence[_Draft]) -> None:
        """Give each piece of prose to the last procedure that begins before it."""
        starts = [draft.start for draft in drafts]
        for start, prose in prose_in(blocks) if drafts else ():
            drafts[max(bisect_right(starts, start) - 1, 0)].prose.append(prose)

    def _labelled_sentences(self, blocks: Sequence[Block]) -> Iterator[Sentence]:
        """Sentences with labels from the paragraphs before the first list."""
        first = takewhile(lambda block: not isinstance(block, OrderedList | BulletList), blocks)
        prose = [block for block in first if isinstance(block, Paragraph)]
        for block in prose[:_MOST_ABOVE]:
            with suppress(TooMuch):  # nobody has to read it to follow a procedure
                yield from (s for s in sentences(block.text, self.source) if s.labels())

    def _is_special(self, section: Section) -> bool:
        title = section.title.text if section.title else ""
        return bool(PREREQUISITES.fullmatch(title) or RESULTS.fullmatch(title))

    def _all_sentences(self, section: Section) -> Iterator[Sentence]:
        for text in paragraphs(section.blocks):
            yield from sentences(text, self.source)
        for child in section.children:
            yield from self._all_sentences(child)

    def _stated_prerequisites(self, blocks: Sequence[Block]) -> list[Sentence]:
        """Prerequisites that the introduction of a section states."""
        prerequisites: list[Sentence] = []
        is_open = False
        for block in blocks:
            if isinstance(block, OrderedList):
                break
            if is_open and isinstance(block, BulletList):
                prerequisites += [
                    s for t in paragraphs((block,)) for s in sentences(t, self.source)
                ]
            is_open = False
            if isinstance(block, Paragraph):
                is_open = PREREQUISITES.match(block.text.text) is not None
                prerequisites += self._prerequisites_in(block, is_named=is_open)
            elif isinstance(block, Admonition):
                is_named = block.title is not None and PREREQUISITES.fullmatch(block.title.text)
                if is_named or PREREQUISITES.fullmatch(block.kind):
                    prerequisites += self.steps.fields.note(block).sentences
        return prerequisites

    def _prerequisites_in(self, block: Paragraph, *, is_named: bool) -> list[Sentence]:
        if is_named and PREREQUISITES.fullmatch(block.text.text):
            return []
        candidates = sentences(block.text, self.source)
        return [s for s in candidates if is_named or is_prerequisite(s.text)]

    def _from_blocks(
        self, section: Section, titles: tuple[str, ...], above: Sequence[Sentence]
    ) -> Iterator[_Draft]:
        groups = group_lists(section.blocks) or imperative_bullets(section.blocks)
        if not groups:
            yield from self._from_prose(section, titles, above)
            return
        results = [
            s
            for c in section.children
            if c.title and RESULTS.fullmatch(c.title.text)
            for s in self._all_sentences(c)
        ]
        for group in groups:
            intro = self._stated_prerequisites(group.intro)
            is_first = group is groups[0]
            steps = self._steps(group)
            group_titles = (*titles, group.title) if group.title else titles
            yield _Draft(
                titles=group_titles,
                start=section.start if is_first else group.start,
                end=max(group.end, section.end if group is groups[-1] else 0),
                steps=self._with_directions(group.intro, steps),
                reason=why_outside_console(steps),
                prerequisites=(*above, *intro),
                results=(*self._outcomes(group.trailing), *results),
            )

    def _steps(self, group: Group) -> tuple[Step, ...]:
        self.steps.begin()
        steps = (self.steps.step(e.index, e.blocks, e.title) for e in group.entries)
        return tuple(step for step in steps if step.body)

    def _outcomes(self, blocks: Sequence[Block]) -> list[Sentence]:
        outcomes: list[Sentence] = []
        for block in blocks:
            if isinstance(block, BulletList):
                break
            if isinstance(block, Paragraph):
                outcomes += [s for s in sentences(block.text, self.source) if is_outcome(s.text)]
        return outcomes

    def _from_headings(
        self,
        section: Section,
        stepped: Sequence[Section],
        titles: tuple[str, ...],
        above: Sequence[Sentence],
    ) -> _Draft:
        """A procedure whose headings are steps: `### Step 1: …`."""
        steps = []
        self.steps.begin()
        for number, child in enumerate(stepped, start=1):
            assert child.title is not None  # noqa: S101 - chosen by its title
            lead = STEP_HEADING.match(child.title.text) or NUMBERED_HEADING.match(child.title.text)
            rest = child.title.cut(lead.end() if lead else 0)
            blocks = _flatten(child)
            steps.append(self.steps.step(str(number), blocks, rest if rest.text else None))
        intro = self._stated_prerequisites(section.blocks)
        return _Draft(
            titles=titles,
            start=section.start,
            end=max(c.full_end for c in stepped),
            steps=tuple(steps),
            reason=why_outside_console(steps),
            prerequisites=(*above, *intro),
        )

    def _from_prose(
        self, section: Section, titles: tuple[str, ...], above: Sequence[Sentence]
    ) -> Iterator[_Draft]:
        """Instructions in paragraphs and bullets, in a section that has nothing else."""
        if any(isinstance(b, OrderedList) for b in section.blocks):
            return
        if (run_on_start := find_run_on_start(section.blocks)) is not None:
            yield self._from_run_on(section, titles, above, run_on_start)
            return
        found_runs = instruction_runs(section.blocks)
        if (
            form := self._form(section, titles, above, found_runs)
            if not _has_procedure(found_runs)
            else None
        ):
            yield form
            return
        title = section.title.text if section.title is not None else ""
        is_explanation = EXPLAINING.fullmatch(title)
        is_task = names_task(title) or self._announces_task(section.blocks)
        is_program = shows_program_code(section.blocks)
        for run in found_runs:
            self.steps.begin()
            steps = tuple(
                step
                for n, unit in enumerate(run.steps, start=1)
                if (step := self.steps.step(str(n), unit.blocks)).body
            )
            # A sentence above sections introduces them.
            is_started = bool(run.steps[0].purpose) or run.is_procedure or run.does_this
            begins_task = is_task and is_started
            introduces = bool(section.children) and len(steps) == 1 and not run.is_sentence
            introduces = introduces and not begins_task
            yield _Draft(
                titles=(*titles, run.title) if run.title else titles,
                start=section.start if run is found_runs[0] else run.start,
                end=run.end if run.title else section.end,
                steps=self._with_directions(run.intro, steps),
                prerequisites=(*above, *self._stated_prerequisites(run.intro)),
                has_numbers=False,
                reason=None
                if (
                    run.is_procedure
                    or (is_task and run.does_a_task)
                    or (asks_how(title) and run.answers)
                )
                and (run.is_sure or not (is_program or _is_command_line(steps)))
                and not is_explanation
                and not introduces
                else LeftOutReason.EXPLAINS,
            )

    def _announces_task(self, blocks: Sequence[Block]) -> bool:
        first = next((b for b in blocks if isinstance(b, Paragraph) and b.text.text), None)
        return first is not None and announces_task(first.text.text)

    def _form(
        self,
        section: Section,
        titles: tuple[str, ...],
        above: Sequence[Sentence],
        found_runs: Sequence[Run],
    ) -> _Draft | None:
        """A page, dialog or tab described field by field: open it, fill it in, save."""
        named = described_form(section.title, section.blocks) if section.title else None
        blocks = form_blocks(section.blocks)
        if named is None or not blocks:
            return None
        self.steps.begin()
        step = self.steps.step("1", blocks)
        if len(step.fields) < FEWEST_FIELDS or describes_pages(step.fields):
            return None
        opening = prose_step(WAY, sentences(named, self.source))
        units = [u for run in found_runs for u in run.steps if u.blocks[0].start >= blocks[-1].end]
        ending = tuple(self.steps.step(str(n), u.blocks) for n, u in enumerate(units, start=2))
        return _Draft(
            titles=titles,
            start=section.start,
            end=section.end,
            steps=(opening, step, *ending),
            prerequisites=tuple(above),
            has_numbers=False,
        )

    def _from_run_on(
        self,
        section: Section,
        titles: tuple[str, ...],
        above: Sequence[Sentence],
        start: int,
    ) -> _Draft:
        """A procedure in running text, `Click **X**, then …`: each sentence is a step."""
        prose_steps, outcomes = ProseStepReader(self.source, self.steps).read(
            section.blocks[start:]
        )
        steps = tuple(prose_steps)
        stated = self._stated_prerequisites(section.blocks[:start])
        steps = self._with_directions(section.blocks[:start], steps)
        return _Draft(titles, section.start, section.end, steps, (*above, *stated), outcomes)

    def _with_directions(self, intro: Sequence[Block], steps: tuple[Step, ...]) -> tuple[Step, ...]:
        """The steps, preceded by one with the introduction's directions to their page, if any."""
        directions = [
            sentence
            for block in intro
            if isinstance(block, Paragraph)
            for sentence in sentences(block.text, self.source)
            if leads_to_place(sentence)
        ]
        return (prose_step(WAY, directions), *steps) if directions else steps


def _executable(drafts: Sequence[_Draft]) -> list[_Draft]:
    return [draft for draft in drafts if draft.reason is None and not draft.is_formless]


def _is_command_line(steps: Sequence[Step]) -> bool:
    return why_outside_console(steps) is LeftOutReason.COMMAND_LINE


def _has_procedure(found_runs: Sequence[Run]) -> bool:
    return any(run.is_procedure for run in found_runs)


def _step_sections(children: Sequence[Section]) -> list[Section]:
    """The child sections that are the steps of one procedure."""
    named = [c for c in children if c.title and STEP_HEADING.match(c.title.text)]
    if len(named) >= 2:
        return named
    numbered = [
        c
        for c in children
        if c.title
        and (lead := NUMBERED_HEADING.match(c.title.text))
        and starts_with_verb(c.title.text[lead.end() :])
        and not any(isinstance(b, OrderedList) for b in _flatten(c))
    ]
    if len(numbered) >= 2 and len(numbered) == len(children):
        return numbered
    return list(children) if _are_instructions(children) else []


def _are_instructions(children: Sequence[Section]) -> bool:
    """Whether each title is an instruction: `### Click **New**`."""
    titles = [c.title for c in children if c.title is not None]
    instructive = [
        t for t in titles if has_label(t) and count_actions(t) and starts_with_verb(t.text)
    ]
    if len(titles) < len(children) or len(instructive) < 2 or 2 * len(instructive) < len(titles):
        return False
    if not all(starts_with_verb(title.text) for title in titles):
        return False
    return not any(isinstance(b, OrderedList) for c in children for b in _flatten(c))


def _flatten(section: Section) -> list[Block]:
    """The blocks of a section and of those below it, with their headings as text."""
    blocks = list(section.blocks)
    for child in section.children:
        if child.title is not None:
            end = child.title.end
            blocks.append(Heading(text=child.title, level=child.level, start=child.start, end=end))
        blocks += _flatten(child)
    return blocks
