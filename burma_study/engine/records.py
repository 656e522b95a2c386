"""Records of play in an append-only tree with a cursor, like the moves of a PGN."""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from typing import Any, NamedTuple

from burma_study.engine.dice import Roll
from burma_study.engine.orders import Order
from burma_study.engine.reasons import Reason
from burma_study.errors import BurmaStudyError

LONGEST_NAME = 80  # characters of a reader's own name for a variation
STATE = "state"  # the table of the events that change a scalar: turn, phase, weather, frames ...
ROOT = 0


class Event(NamedTuple):
    """One typed effect: `kind` says what it means; an entry of `table` went from `old` to `new` (None: absent)."""

    kind: str
    table: str
    key: Hashable
    old: Any
    new: Any


class Record(NamedTuple):
    """What happened at one node: an order carried out, with its dice, effects, rules and the digest after it.

    `reasons` speak against an order that was carried out all the same under `warn`; `note` is a remark or caption.
    """

    parent: int
    actor: str
    order: Order
    rolls: tuple[Roll, ...]
    events: tuple[Event, ...]
    rules: tuple[str, ...]
    enforcement: str
    digest: str
    reasons: tuple[Reason, ...] = ()
    note: str = ""
    salt: int = 0

    @property
    def line(self) -> str:
        """The record as a line of the log."""
        dice = f" [{'; '.join(map(str, self.rolls))}]" if self.rolls else ""
        return f"{self.actor}: {self.order.text}{dice}" if self.actor else f"{self.order.text}{dice}"

    def same_order(self, other: Record) -> bool:
        """The same actor gave the same order, whatever the dice said."""
        return self.actor == other.actor and self.order.text == other.order.text

    def same(self, other: Record) -> bool:
        """The same order with the same dice under the same enforcement, and so the same outcome."""
        return (
            self.digest == other.digest
            and self.enforcement == other.enforcement
            and self.rolls == other.rolls
            and self.note == other.note
            and self.same_order(other)
        )


class Tree:
    """Nodes 0 (the start, without a record), 1, 2 ... in the order in which they were played; nothing is ever removed.

    The cursor is where one stands. The main line follows each node's first child unless another was promoted.
    """

    def __init__(self) -> None:
        self._records: list[Record] = []
        self._children: dict[int, list[int]] = {}
        self._main: dict[int, int] = {}
        self._last: dict[int, int] = {}
        self._titles: dict[int, str] = {}
        self.cursor = ROOT

    def __len__(self) -> int:
        """Number of nodes, the start included."""
        return len(self._records) + 1

    def __iter__(self) -> Iterator[int]:
        return iter(range(len(self)))

    def __getitem__(self, node: int) -> Record:
        """The record of a node; the start has none."""
        self.known(node)
        if node == ROOT:
            raise BurmaStudyError("Node 0 is the start of the game and has no record.")
        return self._records[node - 1]

    def parent(self, node: int) -> int | None:
        """The node before; None at the start."""
        return None if node == ROOT else self[node].parent

    def children(self, node: int) -> tuple[int, ...]:
        """Nodes that follow, the oldest first."""
        self.known(node)
        return tuple(self._children.get(node, ()))

    def main_child(self, node: int) -> int | None:
        """The node that follows in the main line."""
        children = self._children.get(node)
        return self._main.get(node, children[0]) if children else None

    @property
    def promoted(self) -> dict[int, int]:
        """Parents whose main child is not the first one, with that child."""
        return dict(self._main)

    def append(self, record: Record, *, move: bool = True) -> int:
        """Add a record below its parent, and go there; an identical record that stands there already is found again."""
        self.known(record.parent)
        node = self._twin(record)
        if node is None:
            self._records.append(record)
            node = len(self._records)
            self._children.setdefault(record.parent, []).append(node)
        if move:
            (self._step if record.parent == self.cursor else self.go)(node)
        return node

    def _twin(self, record: Record) -> int | None:
        return next((c for c in self._children.get(record.parent, ()) if self[c].same(record)), None)

    def go(self, node: int) -> int:
        """Set the cursor; the way there is what redo will follow."""
        self.known(node)
        for step in self.path(node)[1:]:
            self._last[self._records[step - 1].parent] = step
        self.cursor = node
        return node

    def _step(self, child: int) -> int:
        """Go to a child of the cursor, whose own way is remembered already."""
        self._last[self.cursor] = child
        self.cursor = child
        return child

    def undo(self) -> int:
        """Go one node back; at the start there is nothing to undo."""
        parent = self.parent(self.cursor)
        if parent is None:
            raise BurmaStudyError("There is nothing to undo: this is the start of the game.")
        self.cursor = parent
        return parent

    def redo(self) -> int:
        """Go one node forward, along the way last taken, else along the main line."""
        node = self.onward(self.cursor)
        if node is None:
            raise BurmaStudyError("There is nothing to redo: no order was given from here.")
        return self._step(node)

    def onward(self, node: int) -> int | None:
        """The node that `redo` goes to from a node: along the way last taken, else along the main line."""
        return self._last.get(node, self.main_child(node))

    def path(self, node: int | None = None) -> tuple[int, ...]:
        """Nodes from the start to a node (the cursor unless given), both included."""
        at = self.cursor if node is None else node
        self.known(at)
        back = [at]
        while at != ROOT:
            at = self._records[at - 1].parent
            back.append(at)
        return tuple(reversed(back))

    def main_line(self, node: int = ROOT) -> tuple[int, ...]:
        """The main line from a node (itself included) to its end."""
        self.known(node)
        line = [node]
        while (following := self.main_child(line[-1])) is not None:
            line.append(following)
        return tuple(line)

    def promote(self, node: int) -> None:
        """Make every step of the way to a node the main line."""
        for parent, child in zip(self.path(node), self.path(node)[1:], strict=False):
            self._main.pop(parent, None)
            if self._children[parent][0] != child:
                self._main[parent] = child

    def siblings_before(self, node: int) -> tuple[int, ...]:
        """Older children of the same parent."""
        parent = self.parent(node)
        return () if parent is None else tuple(c for c in self._children[parent] if c < node)

    def is_reroll(self, node: int) -> bool:
        """An older sibling is the same order with other dice."""
        return any(self._rerolls(self[older], self[node]) for older in self.siblings_before(node))

    @staticmethod
    def _rerolls(older: Record, record: Record) -> bool:
        return older.same_order(record) and older.rolls != record.rolls

    @property
    def titles(self) -> dict[int, str]:
        """The names that a reader gave, by node."""
        return dict(self._titles)

    def title(self, node: int) -> str:
        """The name that a reader gave to the variation that begins with a node, or empty."""
        self.known(node)
        return self._titles.get(node, "")

    def entitle(self, node: int, text: str) -> None:
        """Name the variation that begins with a node, for the reader; an empty text takes the name away."""
        self.known(node)
        if not isinstance(text, str):
            raise BurmaStudyError(f"The name of a variation is a text, not {text!r}.")
        line = " ".join(text.split())
        if len(line) > LONGEST_NAME:
            raise BurmaStudyError(f"{line[:20]!r}... is too long for a name: at most {LONGEST_NAME} characters.")
        self._titles.pop(node, None)
        if line:
            self._titles[node] = line

    def name(self, node: int) -> str:
        """`start`, `variation 2`, `re-roll 1`, or empty for the first child of its parent.

        Variations are numbered over the whole tree in the order in which they began, re-rolls by the order rolled.
        """
        if node == ROOT:
            return "start"
        older = self.siblings_before(node)
        if self.is_reroll(node):
            rolled = [n for n in older if self._rerolls(self[n], self[node])]
            return f"re-roll {len(rolled)}"
        return f"variation {self._begun(node)}" if older else ""

    def _begun(self, node: int) -> int:
        """How many variations had begun with this one."""
        later = (c for children in self._children.values() for c in children[1:])
        return sum(c <= node and not self.is_reroll(c) for c in later)

    def known(self, node: int) -> None:
        """BurmaStudyError unless there is such a node."""
        if type(node) is not int or not 0 <= node < len(self):
            raise BurmaStudyError(f"There is no node {node!r}; the record has nodes 0 to {len(self) - 1}.")
