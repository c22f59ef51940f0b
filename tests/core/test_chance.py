"""Where a match's outcomes come from."""

from __future__ import annotations

import pytest

from regalia import SetupError
from regalia.core.chance import Secure, Seeded

pytestmark = pytest.mark.plain


def test_sources_stay_below_their_total() -> None:
    for source in (Secure(), Seeded(4)):
        assert {source.below(3, "die") for _ in range(60)} == {0, 1, 2}
    assert [Seeded(4).below(100, "card") for _ in range(3)] == [Seeded(4).below(100, "card")] * 3


@pytest.mark.parametrize("seed", ["7", 1.5, True, None])
def test_a_seed_is_a_whole_number(seed: object) -> None:
    with pytest.raises(SetupError):
        Seeded(seed)  # type: ignore[arg-type]
