"""The scripts and styles of the page, joined into the single module that a widget carries."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

HERE = Path(__file__).parent
MAP_SCRIPTS = (
    "util",
    "palette",
    "symbols",
    "board",
    "film",
    "base",
    "counters",
    "overlays",
    "moves",
    "controls",
    "link",
    "picture",
    "map",
)
PANEL_SCRIPTS = ("util", "palette", "base", "symbols", "counters", "charts", "sections", "panel")
DESK_SCRIPTS = ("util", "palette", "base", "symbols", "counters", "charts", "sections", "store", "desk")
PULSE_SCRIPTS = ("pulse",)
_IMPORT = re.compile(r"^import (\{[^}]*\}) from '\./(\w+)\.js';$", re.MULTILINE)
_EXPORT = re.compile(r"^export (?=(?:async )?(?:const|let|function|class) (\w+))", re.MULTILINE)


@cache
def script(*names: str) -> str:
    """The named scripts as one module, in an order in which each imports only from those before it.

    Every script but the last becomes a function scope of its own, so that equal names in two files do not clash.
    """
    *parts, last = (_IMPORT.sub(r"const \1 = $\2;", _read("js", f"{name}.js")) for name in names)
    return "\n".join([*(_scope(name, text) for name, text in zip(names, parts, strict=False)), last])


def _scope(name: str, text: str) -> str:
    exports = ", ".join(_EXPORT.findall(text))
    return f"const ${name} = (() => {{\n{_EXPORT.sub('', text)}\nreturn {{ {exports} }};\n}})();"


@cache
def style(*names: str) -> str:
    """The named style sheets, one after the other."""
    return "\n".join(_read("css", f"{name}.css") for name in names)


def _read(folder: str, name: str) -> str:
    return (HERE / folder / name).read_text(encoding="utf-8")
