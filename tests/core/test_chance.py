"""Chance: the kernel generator, the sources of a match, and that both are fair."""

from __future__ import annotations

from collections import Counter

import pytest

from regalia import SetupError
from regalia.core.draws import Secure, Seeded, below, next_word, seeded_words

pytestmark = pytest.mark.plain


def test_the_generator_is_sfc32() -> None:
    """The reference recurrence of sfc32 in plain whole numbers."""
    words = seeded_words(7)
    a, b, c, counter = words.tolist()
    for _ in range(200):
        expected = (a + b + counter) % 2**32
        counter = (counter + 1) % 2**32
        a = b ^ b >> 9
        b = (c + c * 8) % 2**32
        c = (((c << 21) | (c >> 11)) % 2**32 + expected) % 2**32
        assert next_word(words) == expected


def test_seeds_and_streams_differ_and_repeat() -> None:
    assert seeded_words(1).tolist() == seeded_words(1).tolist()
    assert len({tuple(seeded_words(seed, stream).tolist()) for seed in (-1, 0, 1) for stream in (0, 1)}) == 6


def test_numbers_below_are_even() -> None:
    words = seeded_words(3)
    counts = Counter(below(words, 6) for _ in range(6000))
    assert sorted(counts) == [0, 1, 2, 3, 4, 5]
    assert all(880 < count < 1120 for count in counts.values())


def test_sources_stay_below_their_total() -> None:
    for source in (Secure(), Seeded(4)):
        assert {source.below(3, "die") for _ in range(60)} == {0, 1, 2}
    assert [Seeded(4).below(100, "card") for _ in range(3)] == [Seeded(4).below(100, "card")] * 3


@pytest.mark.parametrize("seed", ["7", 1.5, True, None])
def test_a_seed_is_a_whole_number(seed: object) -> None:
    with pytest.raises(SetupError):
        seeded_words(seed)  # type: ignore[arg-type]
