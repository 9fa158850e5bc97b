"""Read running text as steps: each instruction with the fields and code shown below it."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from appliance.core.procedure import Sentence, Step
from appliance.core.source import Span
from appliance.documents._acting import announces_fields, asks_for_fields, offers_control
from appliance.documents._blocks import (
    Admonition,
    Block,
    BulletList,
    CodeBlock,
    FigureBlock,
    Paragraph,
    Tabs,
)
from appliance.documents._fields import names_fields, with_field_lists
from appliance.documents._language import is_instruction, is_outcome
from appliance.documents._limits import check_steps
from appliance.documents._run_on import is_prose_step
from appliance.documents._sentences import sentences
from appliance.documents._source import Source
from appliance.documents._steps import StepReader


@dataclass
class _StepDraft:
    """A future step: its sentences, and the blocks shown below them."""

    prose: list[Sentence]
    below: list[Block] = field(default_factory=list)


class ProseStepReader:
    """Reads steps from text that consists of instructions: "Click **X**, then …"."""

    def __init__(self, source: Source, steps: StepReader) -> None:
        self._source = source
        self._steps = steps
        self._drafts: list[_StepDraft] = []
        self._outcomes: list[Sentence] = []
        self._lead: Sentence | None = None
        """The last sentence read, if it belongs to no step."""
        self._between: list[Block] = []
        """Pictures and notes since the last paragraph; a step takes them if its content follows."""

    def read(self, blocks: Sequence[Block]) -> tuple[list[Step], tuple[Sentence, ...]]:
        """The steps, and the sentences that state the final outcome."""
        self._steps.begin()
        for block in with_field_lists(blocks):
            if isinstance(block, Paragraph):
                self._paragraph(block)
            elif isinstance(block, FigureBlock | Admonition):
                self._between.append(block)
            else:
                self._shown(block)
        steps = [self._step(str(n), draft) for n, draft in enumerate(self._drafts, start=1)]
        return steps, tuple(self._outcomes)

    def _paragraph(self, block: Paragraph) -> None:
        self._lead, self._between = None, []
        for sentence in sentences(block.text, self._source):
            self._lead = None
            if is_instruction(sentence.text) or (self._drafts and offers_control(sentence)):
                self._begin(sentence)
                check_steps(len(self._drafts), block.start)
            elif is_prose_step(block):
                self._drafts[-1].prose.append(sentence)
            else:
                self._lead = sentence
                self._outcomes += [sentence] if is_outcome(sentence.text) else []

    def _begin(self, sentence: Sentence) -> None:
        self._drafts.append(_StepDraft([sentence]))
        self._outcomes = []  # another step follows, so these were not the final outcome
        self._lead = None

    def _shown(self, block: Block) -> None:
        """Attach a block, such as fields or code, to the step before it."""
        lead = self._lead
        lists_fields = names_fields(block)
        if isinstance(block, BulletList) and self._drafts:
            lists_fields = asks_for_fields(lead or self._drafts[-1].prose[-1])
        if lead is not None and lists_fields and self._drafts and announces_fields(lead):
            self._begin(lead)  # "Once it is there select your options from the fields below."
        is_its = self._lead is None and (lists_fields or isinstance(block, CodeBlock))
        if self._drafts and (is_its or isinstance(block, Tabs)):
            self._drafts[-1].below += [*self._between, block]
            self._between = []

    def _step(self, index: str, draft: _StepDraft) -> Step:
        step = prose_step(index, draft.prose)
        if not draft.below:
            return step
        below = self._steps.step(index, draft.below)
        end = below.span
        span = replace(step.span, end_line=end.end_line, end_column=end.end_column)
        return replace(step, body=(*step.body, *below.body), span=span)


def prose_step(index: str, prose: Sequence[Sentence]) -> Step:
    """A step that consists only of sentences."""
    step = StepReader(Source(prose[0].span.file, "")).make_step(index, prose, ())
    last: Span = prose[-1].span
    span = replace(prose[0].span, end_line=last.end_line, end_column=last.end_column)
    return replace(step, span=span)
