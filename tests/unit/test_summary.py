"""A run's numbers in text: aligned, in the metric's unit, to the digits the interval supports."""

from __future__ import annotations

import csv
import io

import pytest

from lab.estimators import Estimate, Mean, Observed
from lab.games.adapter import Metric
from lab.stats.intervals import Interval, Undefined
from lab.summary import CSV_HEADER, Line, decimals, summary_csv, text_table


def line(name: str, unit: str, estimate: Estimate) -> Line:
    return Line(Metric(name, name.capitalize(), unit, "how it is counted", Mean("x")), estimate)


LINES = [
    line("wins", "%", Interval(0.5123, 0.4901, 0.5344, 2000)),
    line("turns", "turns", Interval(21.84, 21.52, 22.16, 1987)),
    line("longest", "flicks", Observed(15.0, 2000)),
    line("sends", "", Undefined("no game with sends", 0)),
    line("stalled", "%", Interval(0.0, 0.0, 0.0019, 2000)),
]


def test_the_table_reads_as_it_should():
    assert text_table(LINES) == "\n".join(
        [
            "metric   estimate   95% interval  unit    games",
            "───────────────────────────────────────────────",
            "Wins         51.2    49.0 – 53.4  %       2,000",
            "Turns       21.84  21.52 – 22.16  turns   1,987",
            "Longest        15                 flicks  2,000",
            "Sends    undefined: no game with sends",
            "Stalled      0.00    0.00 – 0.19  %       2,000",
        ]
    )


def test_the_csv_has_full_values_in_the_metrics_unit():
    rows = list(csv.DictReader(io.StringIO(summary_csv(LINES))))
    assert tuple(rows[0]) == CSV_HEADER
    assert [float(rows[0][key]) for key in ("estimate", "low", "high")] == pytest.approx([51.23, 49.01, 53.44])
    assert (rows[1]["estimate"], rows[1]["unit"], rows[1]["games"]) == ("21.84", "turns", "1987")
    assert (rows[2]["estimate"], rows[2]["low"], rows[2]["note"]) == ("15.0", "", "of this sample; no interval")
    assert (rows[3]["estimate"], rows[3]["note"]) == ("", "undefined: no game with sends")


@pytest.mark.parametrize(
    ("width", "digits"), [(4.43, 1), (0.64, 2), (0.0642, 3), (10.0, 0), (99.0, 0), (1234.0, 0), (0.0, 2), (1e-30, 9)]
)
def test_decimals_show_the_width_to_two_digits(width: float, digits: int):
    assert decimals(width) == digits
