"""How `format-1-ocs.json` was made, once; the file is never written again (a later format gets a file of its own)."""

from __future__ import annotations

from pathlib import Path

from burma_study.engine.session import Session
from burma_study.rules.ocs.game import GAME

HERE = Path(__file__).parent


def play() -> Session:
    """Four steps, one of them under warning, with a variation, and the cursor on the main line's end."""
    session = Session(GAME, GAME.start("ocs/u-go"), setup="ocs/u-go", setup_kind="historical", seed="kohima")
    session.push("place j/inf/2-215-33 at B2.23")
    session.push("enforcement off")
    session.push(
        "together:\n  place j/inf/1-215-33 at B2.23 in move mode\n  dump allied 20 T at A47.28\n"
        '  marker sources is [{"is": "TraceSource", "side": "allied", "hex": 3204, "kind": "rail", "groups": []}]',
        "history",
        note="15 March 1944",
    )
    session.push("next turn 2, movement phase of japanese, weather light_rain", "history")
    session.push("place j/inf/2-215-33 at B3.23 in move mode, out of supply, stocks 1", "history", note="18 March 1944")
    main = session.node
    session.undo()
    session.push("enforcement warn")
    session.push("remove j/inf/1-215-33")
    session.go(main)
    return session


if __name__ == "__main__":
    target = HERE / "format-1-ocs.json"
    if target.exists():
        raise SystemExit(f"{target.name} is history and stays as it is.")
    play().save(target)
