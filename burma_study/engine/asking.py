"""Questions asked with a wrong value: an error of the family that quotes it, instead of one from deep inside.

`@asked` stands on functions that readers call from a notebook, `@all_asked` on classes. Nothing is checked while all
goes well, so that whatever behaves like what is wanted may be given; when one fails, its arguments are held against
its annotations.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator, Mapping
from functools import wraps
from types import SimpleNamespace
from typing import Any, TypeVar, cast, get_type_hints

from burma_study.engine.shapes import fits, short, words
from burma_study.errors import BurmaStudyError

FAILURES = (TypeError, ValueError, AttributeError, LookupError, ArithmeticError)
C = TypeVar("C", bound=type)
F = TypeVar("F", bound=Callable[..., Any])


def all_asked(cls: C) -> C:
    """A class whose public methods and class methods are `asked`."""
    for name, value in list(vars(cls).items()):
        if name.startswith("_"):
            continue
        if isinstance(value, classmethod):
            setattr(cls, name, classmethod(asked(value.__func__)))
        elif inspect.isfunction(value):
            setattr(cls, name, asked(value))
    return cls


def asked(function: F) -> F:
    """A function whose failure over a wrong argument is a BurmaStudyError; a wrong number of them stays a TypeError."""
    inner = inspect.unwrap(function)

    def explained(error: Exception, args: tuple[Any, ...], more: Mapping[str, Any]) -> Exception:
        wrong = "" if isinstance(error, BurmaStudyError) else next(_wrong(inner, error, args, more), "")
        return BurmaStudyError(wrong) if wrong else error

    @wraps(function)
    def ask(*args: Any, **more: Any) -> Any:
        try:
            return function(*args, **more)
        except FAILURES as error:
            said = explained(error, args, more)
            if said is error:
                raise
            raise said from error

    @wraps(function)
    def ask_for_each(*args: Any, **more: Any) -> Iterator[Any]:
        try:
            yield from function(*args, **more)
        except FAILURES as error:
            said = explained(error, args, more)
            if said is error:
                raise
            raise said from error

    return cast(F, ask_for_each if inspect.isgeneratorfunction(inner) else ask)


def _wrong(
    function: Callable[..., Any], error: Exception, args: tuple[Any, ...], more: Mapping[str, Any]
) -> Iterator[str]:
    """What is wrong with the arguments: one of another type, else one that was looked up in vain."""
    signature = inspect.signature(function)
    try:
        given = signature.bind(*args, **more).arguments
    except TypeError:
        return
    asked_for = function.__name__
    for name, value in given.items():
        wanted = "" if signature.parameters[name].kind in _GATHERED else _unmet(function, name, value)
        if wanted:
            yield f"{name} of {asked_for} is {short(value)}, which should be {wanted}."
    for name, value in given.items():
        if isinstance(error, LookupError) and _in_vain(error, value):
            yield f"{name} of {asked_for} is {short(value)}: there is no such thing to ask about."


_GATHERED = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)


def _in_vain(error: LookupError, value: Any) -> bool:
    """Was a value, or one in a list of them, looked up and not found?"""
    several = value if isinstance(value, list | tuple | set | frozenset) else (value,)
    if isinstance(error, KeyError):
        return any(one is key or one == key for one in several for key in error.args)
    return any(isinstance(one, int) for one in several)


def _unmet(function: Callable[..., Any], name: str, value: Any) -> str:
    """What an argument should be, in words, or "" where it is that."""
    said = function.__annotations__.get(name, Any)
    try:
        hint = get_type_hints(SimpleNamespace(__annotations__={name: said}), function.__globals__)[name]
    except (NameError, TypeError):
        return _unmet_name(said, value)
    return "" if fits(hint)(value) else words(hint)


def _unmet_name(said: Any, value: Any) -> str:
    """The same of a type that only the type checker imports: the value's class is known by its name."""
    names = [part.strip() for part in str(said).split("|")]
    if not all(map(str.isidentifier, names)):
        return ""
    kinds = {"None"} if value is None else {cls.__name__ for cls in type(value).__mro__}
    return "" if kinds & {*names} or "Any" in names else " or ".join(names)
