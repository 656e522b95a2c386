"""Orders as small dataclasses whose text form reads like a log line and parses back.

A form such as `"place {unit} at {at}[ in {mode} mode]"` names the slots; a part in brackets is left out while its slot
has its default value.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import MISSING, dataclass, field, fields
from functools import cached_property
from typing import Any, ClassVar, TypeVar, dataclass_transform

from burma_study.engine.reasons import CATALOGUE, because, refusal, sentence
from burma_study.errors import BurmaStudyError, IllegalOrder, did_you_mean

T = TypeVar("T", bound="type[Order]")
FEW = 6  # words that a form names; of more it shows the slot's own name


@dataclass(frozen=True)
class Slot:
    """How a part of an order is written: a regular expression, and text from and to a value.

    `many` marks a slot that is filled piece by piece (a path): its value is a tuple, `item` writes one element. `words`
    are all that it may be, where these are few and fixed.
    """

    name: str
    pattern: str
    read: Callable[[str], Any]
    write: Callable[[Any], str]
    many: bool = False
    words: tuple[str, ...] = ()


def word_slot(name: str) -> Slot:
    """A single word without blank, comma or semicolon."""
    return Slot(name, r"[^\s,;]+", str, str)


def choice_slot(name: str, words: Iterable[str]) -> Slot:
    """One of some words, in whatever case."""
    known = {w.lower(): w for w in words}
    pattern = f"(?i:{'|'.join(re.escape(w) for w in sorted(known.values(), key=len, reverse=True))})"
    return Slot(name, pattern, lambda text: known[text.lower()], str, words=tuple(known.values()))


def flag_slot(word: str, otherwise: str = "") -> Slot:
    """True as a word in whatever case; False as another word, or by leaving the optional part out."""
    words = (word, otherwise) if otherwise else (word,)
    pattern = f"(?i:{'|'.join(map(re.escape, words))})"
    yes = word.lower()
    return Slot(
        word, pattern, lambda text: text.lower() == yes, lambda value: word if value else otherwise, words=words
    )


def many_slot(one: Slot, separator: str = ", ") -> Slot:
    """A tuple of one or more values of another slot."""
    pattern = rf"(?:{one.pattern})(?:{re.escape(separator)}(?:{one.pattern}))*"

    def read(text: str) -> tuple[Any, ...]:
        return tuple(map(one.read, text.split(separator)))

    return Slot(one.name, pattern, read, lambda values: separator.join(map(one.write, values)), many=True)


INT = Slot("number", r"-?\d+", int, str)
WORD = word_slot("word")
QUOTED = Slot("text", r'"(?:[^"\\]|\\.)*"', json.loads, lambda text: json.dumps(text, ensure_ascii=False))


def slot(kind: Slot, default: Any = MISSING) -> Any:
    """A dataclass field with the slot that writes it."""
    return field(default=default, metadata={"slot": kind})


class Order:
    """Base of every order; `edit` marks those that history and designers use, which no rule of play stands behind."""

    __slots__ = ()
    kind: ClassVar[str] = ""
    edit: ClassVar[bool] = False
    form: ClassVar[Form]

    @property
    def text(self) -> str:
        """The order as one line that parses back."""
        return self.form.write(self)

    @property
    def parts(self) -> tuple[Order, ...]:
        """The order itself, or the orders that are given together."""
        return (self,)

    def __str__(self) -> str:
        return self.text


@dataclass_transform(frozen_default=True, field_specifiers=(slot,))
def order(form: str, *, kind: str = "", edit: bool = False) -> Callable[[T], T]:
    """Make a class an order: frozen, with a form; its kind is the form's first word unless given."""

    def make(cls: T) -> T:
        made: Any = dataclass(frozen=True, slots=True)(cls)
        made.form = Form(form, {f.name: (f.metadata["slot"], f.default) for f in fields(made)})
        made.kind, made.edit = kind or re.split(r"[\s\[]", form)[0], edit
        return made  # type: ignore[no-any-return]

    return make


class Form:
    """A form compiled: writes an order and reads one; slots keep the order of the dataclass."""

    def __init__(self, template: str, slots: Mapping[str, tuple[Slot, Any]]) -> None:
        self.template = template
        self.slots = {name: s for name, (s, _) in slots.items()}
        self.defaults = {name: d for name, (_, d) in slots.items() if d is not MISSING}
        named = set(re.findall(r"{(\w+)}", template))
        if named != set(slots):
            raise BurmaStudyError(f"The form {template!r} names {sorted(named)}, the order has {sorted(slots)}.")

    @property
    def required(self) -> tuple[str, ...]:
        """Slots without a default, in order."""
        return tuple(name for name in self.slots if name not in self.defaults)

    @property
    def usage(self) -> str:
        """The form for a person: slots in capitals, those of few fixed words as these are typed."""
        return re.sub(r"{(\w+)}", lambda m: self._shown(m[1]), self.template)

    def _shown(self, name: str) -> str:
        words = self.slots[name].words
        return "|".join(words) if 0 < len(words) <= FEW else name.upper()

    @cached_property
    def lead(self) -> str:
        """The words before the first slot."""
        return re.split(r"[{\[]", self.template)[0].strip()

    @cached_property
    def _segments(self) -> list[tuple[bool, str]]:
        """Parts of the template with whether they are optional."""
        parts = re.split(r"(\[[^\]]*\])", self.template)
        return [(p.startswith("["), p.strip("[]") if p.startswith("[") else p) for p in parts if p]

    @cached_property
    def _pattern(self) -> re.Pattern[str]:
        parts = (f"(?:{self._expression(p)})?" if optional else self._expression(p) for optional, p in self._segments)
        return re.compile("".join(parts))

    def _expression(self, part: str) -> str:
        pieces = re.split(r"{(\w+)}", part)
        return "".join(f"(?P<{p}>{self.slots[p].pattern})" if i % 2 else re.escape(p) for i, p in enumerate(pieces))

    def write(self, order: Order) -> str:
        """The order as text."""
        return "".join(self._write_segment(order, optional, part) for optional, part in self._segments)

    def _write_segment(self, order: Order, optional: bool, part: str) -> str:
        names = re.findall(r"{(\w+)}", part)
        values = {name: getattr(order, name) for name in names}
        if optional and all(values[n] == self.defaults.get(n, MISSING) for n in names):
            return ""
        return part.format(**{n: self.slots[n].write(v) for n, v in values.items()})

    def read(self, text: str) -> dict[str, Any] | None:
        """The slots' values, or None where the text is not of this form; a slot may raise a BurmaStudyError."""
        match = self._pattern.fullmatch(text) if text.startswith(self.lead) else None
        if match is None:
            return None
        return {name: self.slots[name].read(found) for name, found in match.groupdict().items() if found is not None}


@dataclass(frozen=True, slots=True)
class Several(Order):
    """Orders given together, as for a formation or a step of history: one record, all or nothing."""

    orders: tuple[Order, ...]
    kind: ClassVar[str] = "together"

    @property
    def edit(self) -> bool:  # type: ignore[override]
        """All of them are edits."""
        return all(part.edit for part in self.parts)

    @property
    def text(self) -> str:
        """One line an order, under the word `together`."""
        return "together:" + "".join(f"\n  {part.text}" for part in self.parts)

    @property
    def parts(self) -> tuple[Order, ...]:
        """Every single order in turn."""
        return tuple(single for one in self.orders for single in one.parts)


def parts_of(order: Order) -> Iterator[Any]:
    """Everything that is given together as an order, whatever it is."""
    given = order.orders if isinstance(order, Several) else ()
    for one in given if isinstance(given, tuple) else (given,):
        yield from parts_of(one) if isinstance(one, Several) else (one,)


@dataclass(frozen=True, slots=True)
class Written(Order):
    """An order of a save, kept as it was written; it is read only when the save is run again."""

    line: str
    kind: ClassVar[str] = "written"

    @property
    def text(self) -> str:
        """The line."""
        return self.line


@dataclass(frozen=True)
class OrderBook:
    """The kinds of order of one game."""

    kinds: Mapping[str, type[Order]]

    @classmethod
    def of(cls, *orders: type[Order]) -> OrderBook:
        """A book of these kinds, which must differ."""
        kinds = {o.kind: o for o in orders}
        if len(kinds) != len(orders):
            raise BurmaStudyError(f"Two orders share a kind: {', '.join(o.kind for o in orders)}.")
        return cls(kinds)

    def __getitem__(self, kind: str) -> type[Order]:
        if kind not in self.kinds:
            reason = because("unknown-order", kind=kind, kinds=tuple(self.kinds))
            raise refusal(kind, [reason], lambda r: sentence(r, CATALOGUE))
        return self.kinds[kind]

    def __iter__(self) -> Iterator[str]:
        return iter(self.kinds)

    def parse(self, text: str) -> Order:
        """The order that a text writes; IllegalOrder shows the forms that come near."""
        first, *rest = text.strip().split("\n")
        if first.strip() == "together:":
            parts = tuple(self._single(line.strip()) for line in rest if line.strip())
            if not parts:
                raise self._unreadable(text, 'No order stands below "together:".')
            return Several(parts)
        if rest:
            raise self._unreadable(text, 'Several orders stand in lines below "together:".')
        return self._single(first.strip())

    def _single(self, text: str) -> Order:
        for made in self.kinds.values():
            try:
                values = made.form.read(text)
            except IllegalOrder:
                raise
            except BurmaStudyError as error:  # a slot that has the form of a value and is none, as a hex off the map
                raise self._unreadable(text, str(error)) from error
            if values is not None:
                return made(**values)
        raise self._unreadable(text, self._hint(text))

    def _hint(self, text: str) -> str:
        near = [o.form.usage for o in self.kinds.values() if o.form.lead and text.startswith(o.form.lead.split()[0])]
        if near:
            return f"Write {' or '.join(near)}."
        first = text.split()[0] if text else ""
        return did_you_mean(first, self.kinds) or f"Orders are {', '.join(self.kinds)}."

    def _unreadable(self, text: str, hint: str) -> IllegalOrder:
        reason = because("unreadable", text=text, hint=hint)
        return refusal(text, [reason], lambda r: sentence(r, CATALOGUE))
