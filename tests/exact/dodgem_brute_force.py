"""Dodgem solved the plain way, from the clauses alone: nothing of the engine is used here.

A state is (squares of Up, squares of Right, side to move), squares as frozen sets of (column, row), sides 0 and 1.
"""

from __future__ import annotations

from random import Random

Square = tuple[int, int]
State = tuple[frozenset[Square], frozenset[Square], int]
Answer = tuple[str, int | None]


def start(n: int, side: int = 0) -> State:
    return frozenset((c, 0) for c in range(1, n)), frozenset((0, r) for r in range(1, n)), side


def moved(state: State, n: int) -> list[State]:
    """States after each move of a car (D3, D4)."""
    sides, mover = state[:2], state[2]
    found: list[State] = []
    for column, row in sides[mover]:
        ahead = (column, row + 1) if mover == 0 else (column + 1, row)
        beside = [(column - 1, row), (column + 1, row)] if mover == 0 else [(column, row - 1), (column, row + 1)]
        rest = sides[mover] - {(column, row)}
        targets = [rest] if max(ahead) == n else []
        for square in [ahead, *beside]:
            if min(square) >= 0 and max(square) < n and square not in sides[0] | sides[1]:
                targets.append(rest | {square})
        found += [(t, sides[1], 1) if mover == 0 else (sides[0], t, 0) for t in targets]
    return found


def verdict(state: State, n: int, stuck: str) -> str | None:
    """What a state is by itself, for the side to move (D5, D6)."""
    mine, theirs = state[state[2]], state[1 - state[2]]
    if not theirs:
        return "loss"
    if not mine:
        return "win"
    if stuck != "passes" and not moved(state, n):
        return {"wins": "win", "loses": "loss", "draws": "draw"}[stuck]
    return None


def replies(state: State, n: int, stuck: str) -> list[State]:
    """States that play goes on to; none where the game is over."""
    if verdict(state, n, stuck):
        return []
    return moved(state, n) or [(state[0], state[1], 1 - state[2])]


def reach(origin: State, n: int, stuck: str, limit: int = 10**9) -> dict[State, list[State]] | None:
    """Every state that play reaches, with its replies; None where there are more than ``limit``."""
    graph: dict[State, list[State]] = {}
    waiting = [origin]
    while waiting:
        state = waiting.pop()
        if state in graph:
            continue
        if len(graph) == limit:
            return None
        graph[state] = replies(state, n, stuck)
        waiting += graph[state]
    return graph


def solve(graph: dict[State, list[State]], n: int, stuck: str) -> dict[State, Answer]:
    """Value and distance of every state, a sweep for each distance.

    A state is won in d moves if a reply is lost in d - 1, and lost in d if all are won and the slowest in d - 1; so
    a sweep looks at what leads to the states that the last one answered.
    """
    before: dict[State, list[State]] = {state: [] for state in graph}
    answers: dict[State, Answer] = {}
    for state, after in graph.items():
        for reply in after:
            before[reply].append(state)
        if found := verdict(state, n, stuck):
            answers[state] = (found, None if found == "draw" else 0)
    latest = [state for state, answer in answers.items() if answer[1] == 0]
    distance = 0
    while latest:
        distance += 1
        now: dict[State, Answer] = {}
        for state in (earlier for answered in latest for earlier in before[answered]):
            if state in answers:
                continue
            got = [answers.get(reply) for reply in graph[state]]
            if ("loss", distance - 1) in got:
                now[state] = ("win", distance)
            elif all(answer is not None and answer[0] == "win" for answer in got):
                now[state] = ("loss", distance)
        answers.update(now)
        latest = list(now)
    return {state: answers.get(state, ("draw", None)) for state in graph}


def random_state(n: int, stuck: str, random: Random) -> State:
    """A state some random moves from the start."""
    state = start(n)
    for _ in range(random.randrange(10, 60)):
        after = replies(state, n, stuck)
        if not after:
            break
        state = random.choice(sorted(after, key=lambda s: (sorted(s[0]), sorted(s[1]), s[2])))
    return state
