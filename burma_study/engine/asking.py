"""Questions asked with a wrong value: an error of the family that quotes it, instead of one from deep inside.

A module ends with `keep_to_family(globals())`. Nothing is checked while all goes well, so that whatever behaves like
what is wanted may be given; when a public function fails, its arguments are held against its annotations.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator, Mapping
from functools import wraps
from types import SimpleNamespace
from typing import Any, get_type_hints

from burma_study.engine.shapes import fits, short, words
from burma_study.errors import BurmaStudyError

FAILURES = (TypeError, ValueError, AttributeError, LookupError, ArithmeticError)
_OF_CACHES = ("cache_clear", "cache_info")


def keep_to_family(module: dict[str, Any]) -> None:
    """Let the public functions and methods that a module defines answer wrong arguments within the family."""
    for name, value in list(module.items()):
        if name.startswith("_") or getattr(value, "__module__", "") != module["__name__"]:
            continue
        if inspect.isclass(value):
            _keep_class(value)
        elif callable(value) and inspect.isfunction(inspect.unwrap(value)):
            module[name] = asked(value)


def _keep_class(cls: type) -> None:
    for name, value in list(vars(cls).items()):
        if name.startswith("_"):
            continue
        if isinstance(value, classmethod):
            setattr(cls, name, classmethod(asked(value.__func__)))
        elif inspect.isfunction(value) and not getattr(value, "__isabstractmethod__", False):
            setattr(cls, name, asked(value))


def asked(function: Callable[..., Any]) -> Callable[..., Any]:
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

    chosen = ask_for_each if inspect.isgeneratorfunction(inner) else ask
    for name in _OF_CACHES:
        if hasattr(function, name):
            setattr(chosen, name, getattr(function, name))
    return chosen


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
