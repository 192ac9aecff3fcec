"""Ocean overturning in six boxes: `sixbox/1`, its presets and its ten threshold questions."""

from earsim.apparatus.sixbox.model import SIXBOX, SixBox

__all__ = ["SIXBOX", "SixBox"]
