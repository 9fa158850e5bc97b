"""What a procedure makes itself, and where: from there on it is not needed."""

from collections.abc import Iterator

from appliance.core.procedure import InlineRole, Procedure, Sentence
from appliance.environment.modules import Module, Variable
from appliance.environment.needs._mentions import Lexicon, Read
from appliance.environment.needs._parts import grammar_of, parts, sentences


class Made:
    """What a procedure makes, by its title, its sentences and the buttons that these name."""

    def __init__(self, procedure: Procedure, lexicon: Lexicon) -> None:
        self._lexicon = lexicon
        self._surely: dict[str, int] = {}
        """Modules, with the step that makes one; -1: only the title says so."""
        self._perhaps: dict[str, int] = {}
        """As `_surely`, for verbs such as "add" that are also said of what is there."""
        title = lexicon.read(Sentence(text=procedure.title, span=procedure.span))
        self._note(title, title.text, -1)
        for part, place in parts(procedure):
            for sentence in sentences(part):
                self._read(lexicon.read(sentence), place.step)

    def is_of(self, module: Module, step: int) -> bool:
        """Whether what the text speaks of at a step (-1: before them) is made by it."""
        at = self._surely.get(module.name)
        if at is None and step < 0:
            at = self._perhaps.get(module.name)
        return at is not None and (at < 0 or step < 0 or step >= at)

    def requiring(self, module: Module) -> Iterator[Variable]:
        """What needs such a thing among the inputs of what is made."""
        for name in (*self._surely, *self._perhaps):
            for variable in self._lexicon.modules[name].variables.values():
                if variable.is_required and variable.module == module.name:
                    yield variable

    def _read(self, read: Read, step: int) -> None:
        for clause in grammar_of(read.text).clause.split(read.text):
            self._note(read, clause, step)
        for mark in read.marks:
            if mark.role is InlineRole.UI_LABEL:
                label = self._lexicon.read(Sentence(text=mark.text, span=mark.span))
                self._note(label, label.text, step)

    def _note(self, read: Read, clause: str, step: int) -> None:
        grammar = grammar_of(read.text)
        match = grammar.made.search(clause)
        if match:
            made = self._surely if match["verb"] in grammar.made_for_sure else self._perhaps
            name = read.mentions[int(match["thing"])].module.name
            if made.get(name, -1) < 0:
                made[name] = step
