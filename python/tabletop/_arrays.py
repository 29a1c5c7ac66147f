"""Arrays of numpy, which only batches and tables need."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tabletop._errors import InputError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import ArrayLike, NDArray


def numpy() -> Any:
    """The module numpy, or an error that says how to install it."""
    try:
        import numpy  # noqa: PLC0415 - only batches and tables need it
    except ImportError as error:
        message = "arrays need numpy, install it with: pip install numpy"
        raise ImportError(message, name="numpy") from error
    return numpy


def small_numbers(array: ArrayLike, dimensions: int, shape: str) -> NDArray[np.uint8]:
    """The array as bytes. It must have whole numbers from 0 to 255 and this number of dimensions."""
    module = numpy()
    given = module.asarray(array)
    if given.ndim != dimensions:
        raise InputError(0, f"an array of {given.ndim} dimensions", f"give one of the shape {shape}")
    if given.dtype != module.uint8:
        if given.dtype.kind not in "iu" and given.size:
            raise InputError(0, f"an array of type {given.dtype}", "give whole numbers")
        if given.size and (given.min() < 0 or given.max() > 255):
            raise InputError(0, "a number below 0 or above 255", "give small whole numbers")
        given = given.astype(module.uint8)
    made: NDArray[np.uint8] = module.ascontiguousarray(given)
    return made


def doubles(values: bytearray) -> NDArray[np.float64]:
    """The doubles in these bytes, without a copy."""
    made: NDArray[np.float64] = numpy().frombuffer(values, dtype="=f8")
    return made
