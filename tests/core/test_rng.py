"""The generator of kernels."""

from __future__ import annotations

from collections import Counter

import pytest

from regalia import SetupError
from regalia.core.rng import below, next_bits, seeded_rng

pytestmark = pytest.mark.plain


def test_the_generator_is_sfc32() -> None:
    """The reference recurrence of sfc32 in plain whole numbers."""
    rng = seeded_rng(7)
    a, b, c, counter = rng.tolist()
    for _ in range(200):
        expected = (a + b + counter) % 2**32
        counter = (counter + 1) % 2**32
        a = b ^ b >> 9
        b = (c + c * 8) % 2**32
        c = (((c << 21) | (c >> 11)) % 2**32 + expected) % 2**32
        assert next_bits(rng) == expected


def test_seeds_and_streams_differ_and_repeat() -> None:
    assert seeded_rng(1).tolist() == seeded_rng(1).tolist()
    assert len({tuple(seeded_rng(seed, stream).tolist()) for seed in (-1, 0, 1) for stream in (0, 1)}) == 6


def test_numbers_below_are_even() -> None:
    rng = seeded_rng(3)
    counts = Counter(below(rng, 6) for _ in range(6000))
    assert sorted(counts) == [0, 1, 2, 3, 4, 5]
    assert all(880 < count < 1120 for count in counts.values())


@pytest.mark.parametrize("seed", ["7", 1.5, True, None])
def test_a_seed_is_a_whole_number(seed: object) -> None:
    with pytest.raises(SetupError):
        seeded_rng(seed)  # type: ignore[arg-type]
