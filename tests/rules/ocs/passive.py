"""A player who only says `done`, and answers what he is asked with the first thing that is allowed."""

from burma_study.engine.game import Partial


def first_order(session, partial):
    """The first order that completes a partial one, or None."""
    found = session.options(partial)
    if found.complete is not None:
        return found.complete
    for choice in found.choices or ():
        order = first_order(session, found.take(choice.value))
        if order is not None:
            return order
    return None


def answer(session):
    """One order: the first answer to what is asked, else `done`."""
    decision = session.decision
    if decision.frame is None:
        return session.push("done")
    orders = (first_order(session, Partial(kind)) for kind in decision.kinds)
    return session.push(next(order for order in orders if order is not None))


def play(session, most=3000):
    """To the end of the game; the number of orders."""
    count = 0
    while session.decision.actor and count < most:
        answer(session)
        count += 1
    return count
