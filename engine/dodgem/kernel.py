"""Compiled play: moves, look-ahead, a player's choice, a whole game; and the look-up of exact scores.

This is the fast twin of :mod:`engine.dodgem.board` and :mod:`engine.dodgem.match`, which say what is right.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from engine.dodgem.layout import Layout
from engine.dodgem.retrograde import STUCK_DRAWS, STUCK_LOSES, STUCK_PASSES, STUCK_WINS
from engine.dodgem.state import OUT, PASS_CODE, Solution, State
from engine.jit import allocating

CAUSE_OUT, CAUSE_STUCK, CAUSE_LIMIT, CAUSE_REPETITION = range(4)
"""Numbers of what decides a game, as in :data:`engine.dodgem.match.CAUSES`."""

RANDOM, SEARCH, PERFECT = range(3)
"""Kinds of player."""

_WIN = 1_000_000
_BOUND = 2 * _WIN

# What is kept of a position on the line of play being looked at: its window, the best value found, and the move
# being tried.
_ALPHA, _BETA, _BEST, _DIRECTION, _CAR, _SQUARE = range(6)


@allocating
def list_moves(state: State, side: int, moves: NDArray[np.int16]) -> int:
    """List a side's moves by square and direction; return their number. ``moves`` has room for 3 a car."""
    count = 0
    for square in range(len(state.cells)):
        if state.cells[square] != side + 1:
            continue
        for direction in range(3):
            target = state.targets[side, square, direction]
            if target == OUT or (target >= 0 and state.cells[target] == 0):
                moves[count] = 3 * square + direction
                count += 1
    return count


@allocating
def _make(state: State, side: int, move: int) -> int:
    """Play a move; return which of the side's cars made it."""
    square = move // 3
    target = state.targets[side, square, move % 3]
    car = 0
    while state.cars[side, car] != square:
        car += 1
    state.cars[side, car] = target
    state.cells[square] = 0
    if target >= 0:
        state.cells[target] = side + 1
    return car


@allocating
def _unmake(cells: NDArray[np.int8], cars: NDArray[np.int16], side: int, car: int, square: int) -> None:
    """Take back the move of a car that came from ``square``."""
    target = cars[side, car]
    if target >= 0:
        cells[target] = 0
    cars[side, car] = square
    cells[square] = side + 1


@allocating
def _on_board(cars: NDArray[np.int16], side: int) -> int:
    count = 0
    for car in range(cars.shape[1]):
        if cars[side, car] >= 0:
            count += 1
    return count


@allocating
def _evaluate(
    targets: NDArray[np.int16], to_go: NDArray[np.int16], cells: NDArray[np.int8], cars: NDArray[np.int16], side: int
) -> int:
    """Return how a side stands: the race, two a move, less one for each car that an enemy stands before."""
    value = 0
    for driver in range(2):
        sign = 1 if driver == side else -1
        for car in range(cars.shape[1]):
            square = cars[driver, car]
            if square >= 0:
                value -= sign * 2 * to_go[driver, square]
                ahead = targets[driver, square, 0]
                if ahead >= 0 and cells[ahead] == 2 - driver:
                    value -= sign
    return value


@allocating
def _search(state: State, side: int, depth: int, ceiling: int, nodes: NDArray[np.int64]) -> int:
    """Return the value for the side to move of a position one move after the one a player is in, by alpha-beta.

    Parameters
    ----------
    state, side
        The position and the side to move.
    depth
        How many moves to look further ahead.
    ceiling
        A value from here on up need not be exact.
    nodes
        Working memory: the line of play being looked at, a row a position, shape (depth + 1, 6).

    Notes
    -----
    A game won in fewer moves is worth more. The move limit and repetition (D8) are left aside. The recursion is
    written out because Numba crashes on functions that call themselves when it loads them from its cache.
    """
    # Arrays are taken out of the state once: taken out at each use they cost more than the search.
    targets, to_go, cells, cars = state.targets, state.to_go, state.cells, state.cars
    level = 0
    _visit(nodes, 0, -_BOUND, ceiling)
    while True:
        mover = side ^ level & 1
        value = nodes[level, _BEST]
        if _next(targets, cells, cars, mover, nodes, level):
            square = nodes[level, _SQUARE]
            target = targets[mover, square, nodes[level, _DIRECTION]]
            if level == depth:
                value = _evaluate(targets, to_go, cells, cars, mover)
            elif target == OUT and _on_board(cars, mover) == 1:
                value = _WIN - level - 2
            else:
                cars[mover, nodes[level, _CAR]] = target
                cells[square] = 0
                if target >= 0:
                    cells[target] = mover + 1
                level += 1
                _visit(nodes, level, -nodes[level - 1, _BETA], -nodes[level - 1, _ALPHA])
                continue
        elif value == -_BOUND:
            if state.stuck == STUCK_WINS:
                value = _WIN - level - 1
            elif state.stuck == STUCK_LOSES:
                value = level + 1 - _WIN
            elif state.stuck == STUCK_DRAWS:
                value = 0
            elif level == depth:
                value = _evaluate(targets, to_go, cells, cars, mover)
            else:
                nodes[level, _SQUARE] = PASS_CODE
                level += 1
                _visit(nodes, level, -nodes[level - 1, _BETA], -nodes[level - 1, _ALPHA])
                continue
        # The value goes to the position before, and on from there where that one needs to look no further.
        while True:
            if level == 0:
                return value
            level -= 1
            value = -value
            if nodes[level, _SQUARE] != PASS_CODE:
                _unmake(cells, cars, side ^ level & 1, nodes[level, _CAR], nodes[level, _SQUARE])
            if value > nodes[level, _BEST]:
                nodes[level, _BEST] = value
                nodes[level, _ALPHA] = max(nodes[level, _ALPHA], value)
            if nodes[level, _ALPHA] < nodes[level, _BETA]:
                break
            value = nodes[level, _BEST]


@allocating
def _visit(nodes: NDArray[np.int64], level: int, alpha: int, beta: int) -> None:
    nodes[level, _ALPHA] = alpha
    nodes[level, _BETA] = beta
    nodes[level, _BEST] = -_BOUND
    nodes[level, _DIRECTION] = 0
    nodes[level, _CAR] = -1


@allocating
def _next(
    targets: NDArray[np.int16],
    cells: NDArray[np.int8],
    cars: NDArray[np.int16],
    side: int,
    nodes: NDArray[np.int64],
    level: int,
) -> bool:
    """Go on to a position's next move, forward moves first; say whether there is one."""
    direction, car = nodes[level, _DIRECTION], nodes[level, _CAR] + 1
    while direction < 3:
        while car < cars.shape[1]:
            square = cars[side, car]
            if square >= 0:
                target = targets[side, square, direction]
                if target == OUT or (target >= 0 and cells[target] == 0):
                    nodes[level, _DIRECTION] = direction
                    nodes[level, _CAR] = car
                    nodes[level, _SQUARE] = square
                    return True
            car += 1
        direction += 1
        car = 0
    nodes[level, _DIRECTION] = direction
    return False


@allocating
def _wins_at_once(state: State, side: int, move: int) -> bool:
    """Say whether a move ends the game in its player's favour (D5; D6 where the stuck side loses)."""
    car = _make(state, side, move)
    wins = _on_board(state.cars, side) == 0
    if not wins and state.stuck == STUCK_LOSES:
        wins = list_moves(state, 1 - side, np.empty(3 * state.cars.shape[1], np.int16)) == 0
    _unmake(state.cells, state.cars, side, car, move // 3)
    return wins


@allocating
def choose(
    state: State,
    side: int,
    level: NDArray[np.float64],
    chance: NDArray[np.float64],
    solution: Solution,
    moves: NDArray[np.int16],
    count: int,
) -> int:
    """Return a player's move.

    Parameters
    ----------
    state, side
        The position and the side to move.
    level
        Kind of player, depth in moves, share of random moves, shape (3,).
    chance
        Two numbers in [0, 1), shape (2,): whether the move is random, and which of equal moves is taken.
    solution
        The solved board, looked at by the perfect player alone.
    moves, count
        The legal moves, at least one, in order of :func:`list_moves`.
    """
    if level[0] == RANDOM:
        return moves[int(chance[1] * count)]
    values = np.zeros(count, np.int64)
    if level[0] == PERFECT:
        _exact_values(state, side, solution, moves, values)
        return _best(moves, values, chance[1])
    for index in range(count):
        if _wins_at_once(state, side, moves[index]):
            values[index] = 1
    if values.max() > 0:
        return _best(moves, values, chance[1])
    if chance[0] < level[2]:
        return moves[int(chance[1] * count)]
    best = -_BOUND
    depth = int(level[1]) - 1
    nodes = np.empty((depth + 1, 6), np.int64)
    for index in range(count):
        car = _make(state, side, moves[index])
        # The window stays open for values equal to the best, which are then exact and chosen among by chance.
        value = -_search(state, 1 - side, depth, 1 - best, nodes)
        _unmake(state.cells, state.cars, side, car, moves[index] // 3)
        values[index] = value
        best = max(best, value)
    return _best(moves, values, chance[1])


@allocating
def _best(moves: NDArray[np.int16], values: NDArray[np.int64], chance: float) -> int:
    """Return one of the moves of highest value, each as likely as the others."""
    best = np.flatnonzero(values == values.max())
    return int(moves[best[int(chance * len(best))]])


@allocating
def _exact_values(
    state: State,
    side: int,
    solution: Solution,
    moves: NDArray[np.int16],
    values: NDArray[np.int64],
) -> None:
    """Order moves exactly: wins, the faster the better, then draws, then losses, the slower the better."""
    for index in range(len(values)):
        car = _make(state, side, moves[index])
        masks = np.zeros(2, np.int64)
        for driver in range(2):
            for other in range(state.cars.shape[1]):
                if state.cars[driver, other] >= 0:
                    masks[driver] |= 1 << state.cars[driver, other]
        reply = score_at(solution, masks[0], masks[1], 1 - side)
        if reply != 0:
            values[index] = 128 + reply if reply < 0 else reply - 128
        _unmake(state.cells, state.cars, side, car, moves[index] // 3)


@allocating
def play_out(
    state: State,
    side: int,
    max_moves: int,
    repetition_draws: bool,
    levels: NDArray[np.float64],
    chances: NDArray[np.float64],
    solution: Solution,
    played: NDArray[np.int16],
) -> tuple[int, int, int]:
    """Play a game to its end.

    Parameters
    ----------
    state, side
        The position it begins at, overwritten, and the side to move.
    max_moves, repetition_draws
        The rules (D8).
    levels
        Each seat's player as :func:`choose` takes it, the seat that moves first first, shape (2, 3).
    chances
        Each seat's chance at each of its moves, shape (2, at least half of max_moves, 2).
    solution
        The solved board.
    played
        To be filled with the moves, shape (max_moves,).

    Returns
    -------
    tuple of int
        Moves played, number of the cause, and the side that won, −1 in a draw.
    """
    moves = np.empty(3 * state.cars.shape[1], np.int16)
    history = np.empty((max_moves + 1 if repetition_draws else 0, len(state.cells)), np.int8)
    irreversible = 0
    for number in range(max_moves + 1):
        if _on_board(state.cars, 1 - side) == 0:
            return number, CAUSE_OUT, 1 - side
        count = list_moves(state, side, moves)
        if count == 0 and state.stuck != STUCK_PASSES:
            winner = -1
            if state.stuck != STUCK_DRAWS:
                winner = side if state.stuck == STUCK_WINS else 1 - side
            return number, CAUSE_STUCK, winner
        if repetition_draws:
            history[number] = state.cells
            if _stood_before(history, irreversible, number) >= 2:
                return number, CAUSE_REPETITION, -1
        if number == max_moves:
            break
        if count == 0:
            played[number] = PASS_CODE
        else:
            seat = number % 2
            move = choose(
                state,
                side,
                levels[seat],
                chances[seat, number // 2],
                solution,
                moves,
                count,
            )
            _make(state, side, move)
            played[number] = move
            if move % 3 == 0:
                irreversible = number + 1
        side = 1 - side
    return max_moves, CAUSE_LIMIT, -1


@allocating
def _stood_before(history: NDArray[np.int8], first: int, number: int) -> int:
    """Count the earlier positions with the same side to move that equal the last one, from ``first`` on."""
    count = 0
    for earlier in range(number - 2, first - 1, -2):
        if np.array_equal(history[earlier], history[number]):
            count += 1
    return count


@allocating
def entry_of(layout: Layout, up: int, right: int, side: int) -> int:
    """Return the number of a position's entry in a table.

    Parameters
    ----------
    layout
        How positions are numbered.
    up, right
        Squares of each side's cars, as bits.
    side
        The side to move.
    """
    n, rank, binomial = layout.n, layout.rank, layout.binomial
    mover, other = (up, right) if side == 0 else (right, up)
    mover_class, column_class, other_class = 0, 0, 0
    placement, run = 0, 0
    for line in range(n):
        # A line is a row of the mover's own frame, or one of the opponent's, which is a column to the mover.
        ahead = _line(n, mover, line, side == 0)
        across = _line(n, mover, line, side != 0)
        others = _line(n, other, line, side != 0)
        in_ahead, in_across, in_others = _cars_in(n, ahead), _cars_in(n, across), _cars_in(n, others)
        mover_class = mover_class * n + in_ahead
        column_class = column_class * n + in_across
        other_class = other_class * n + in_others
        placement = placement * binomial[n, in_ahead] + rank[0, ahead]
        run = run * binomial[n - in_across, in_others] + rank[across, others]
    kind = layout.class_of[mover_class]
    placement_start = layout.mover_entries[kind, 0] + placement * layout.mover_entries[kind, 1]
    run_start = layout.run_start[layout.class_of[column_class], layout.class_of[other_class]]
    return int(placement_start + run_start + run)


@allocating
def _line(n: int, cars: int, line: int, is_row: bool) -> int:
    """Return a row or a column of the board as n bits."""
    if is_row:
        return cars >> n * line & (1 << n) - 1
    bits = 0
    for square in range(n):
        bits |= (cars >> n * square + line & 1) << square
    return bits


@allocating
def _cars_in(n: int, bits: int) -> int:
    count = 0
    for square in range(n):
        count += bits >> square & 1
    return count


@allocating
def score_at(solution: Solution, up: int, right: int, side: int) -> int:
    """Look up one position's score; arguments as for :func:`entry_of`."""
    return solution.scores[entry_of(solution.layout, up, right, side)]


@allocating
def scores_at(
    solution: Solution,
    up: NDArray[np.int64],
    right: NDArray[np.int64],
    side: NDArray[np.int8],
    out: NDArray[np.int8],
) -> None:
    """Look up the scores of many positions, all arrays of shape (positions,); ``out`` is filled."""
    for index in range(len(out)):
        out[index] = score_at(solution, up[index], right[index], side[index])
