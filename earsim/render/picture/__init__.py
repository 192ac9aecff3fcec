"""The picture of a world: a floor plan with what stands in it, as pixels or as SVG."""

from earsim.render.picture.painter import Painter, draw
from earsim.render.picture.raster import to_array, to_png
from earsim.render.picture.shapes import Drawing
from earsim.render.picture.vector import to_svg

__all__ = ["Drawing", "Painter", "draw", "to_array", "to_png", "to_svg"]
