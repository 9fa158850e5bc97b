"""A look at one resource or data source that a model wrote."""

import difflib
from collections.abc import Callable, Iterable, Iterator

from appliance.environment.coder._counting import Counter
from appliance.environment.coder._reading import problem
from appliance.environment.coder._scope import Scope
from appliance.environment.coder._syntax import Block, Expression, Several
from appliance.environment.coder.schema import ResourceType
from appliance.environment.terraform.types import Diagnostic

_META = frozenset({"count", "for_each", "depends_on"})
"""What Terraform itself reads of a resource, and may."""
_REFUSED = _META | {"provider", "lifecycle", "provisioner", "connection", "_", "providers"}
"""All words that it reads itself."""


class Look:
    """At one resource or data source."""

    def __init__(self, block: Block, scope: Scope, counter: Counter, most: int) -> None:
        self.instances = 1
        self._block = block
        self._scope = scope
        self._counter = counter
        self._most = most

    def problems(self, kind: ResourceType) -> Iterator[Diagnostic]:
        """All that is wrong with it."""
        block = self._block
        count, each = block.get("count"), block.get("for_each")
        scope = self._scope
        if count is not None and each is not None:
            yield problem(block, "has both count and for_each")
        if count is not None:
            yield from self._counted(count, "count", self._counter.number)
            scope = scope.with_words({"count"})
        elif each is not None:
            yield from self._counted(each, "for_each", self._counter.items)
            scope = scope.with_words({"each"})
        if (on := block.get("depends_on")) is not None and not isinstance(on, Several):
            yield problem(block, "depends_on is no list")
        yield from self._body(block, kind, scope, own=_META)

    def _counted(
        self, value: Expression, word: str, count: Callable[[Expression], int | None]
    ) -> Iterator[Diagnostic]:
        found = count(value)
        if found is None:
            says = "Write a number, a list or a map, or a variable or local that is one."
            yield problem(self._block, f"how many its {word} makes cannot be told", says)
        elif found > self._most:
            says = f"At most {self._most} are allowed."
            yield problem(self._block, f"its {word} makes {found}", says)
        else:
            self.instances = found

    def _body(
        self, body: Block, kind: ResourceType, scope: Scope, own: Iterable[str] = ()
    ) -> Iterator[Diagnostic]:
        for attribute in body.attributes:
            if attribute.name in _REFUSED - set(own):
                yield self._not_allowed(attribute.name, attribute.line)
            elif attribute.name not in kind.fields and attribute.name not in own:
                near = difflib.get_close_matches(attribute.name, kind.fields, n=1)
                says = f"Is {near[0]} meant?" if near else ""
                summary = f"{kind.name} has no attribute `{attribute.name}`"
                yield problem(self._block, summary, says, attribute.line)
            else:
                for says in scope.problems(attribute.value):
                    yield problem(self._block, says, line=attribute.line)
        for block in body.blocks:
            if block.kind == "dynamic":
                yield from self._dynamic(block, kind, scope)
            elif block.kind in kind.blocks.keys() - _REFUSED and not block.labels:
                yield from self._body(block, kind.blocks[block.kind], scope)
            else:
                yield self._not_allowed(block.kind, block.line)

    def _dynamic(self, block: Block, kind: ResourceType, scope: Scope) -> Iterator[Diagnostic]:
        """`dynamic "NAME" { for_each = …  content { … } }`."""
        label = block.labels[0] if len(block.labels) == 1 else "_"
        inside = None if label in _REFUSED else kind.blocks.get(label)
        each = block.get("for_each")
        is_shaped = [a.name for a in block.attributes] == ["for_each"] and [
            (b.kind, b.labels) for b in block.blocks
        ] == [("content", ())]
        if inside is None or each is None or not is_shaped:
            says = "It has for_each and content, and is called like a nested block."
            yield problem(self._block, "a `dynamic` block is not allowed", says, block.line)
            return
        instances = self.instances
        yield from self._counted(each, "dynamic for_each", self._counter.items)
        self.instances = instances
        for says in scope.problems(each):
            yield problem(self._block, says, line=block.line)
        yield from self._body(block.blocks[0], inside, scope.with_words({label}))

    def _not_allowed(self, word: str, line: int) -> Diagnostic:
        return problem(self._block, f"`{word}` is not allowed in it", "Leave it out.", line)
