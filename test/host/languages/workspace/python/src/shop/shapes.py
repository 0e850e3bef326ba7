"""Shapes: overloads, a property with a setter, decorators, an abstract base."""

from abc import ABC, abstractmethod
from functools import wraps
from typing import Callable, TypeVar, Union, overload

T = TypeVar("T")


def logged(function: Callable[..., T]) -> Callable[..., T]:
    @wraps(function)
    def wrapper(*args, **kwargs) -> T:
        return function(*args, **kwargs)

    return wrapper


class Shape(ABC):
    """What every shape has."""

    def __init__(self, name: str) -> None:
        self.name = name
        self._area = 0.0

    @property
    def area(self) -> float:
        return self._area

    @area.setter
    def area(self, value: float) -> None:
        self._area = value

    @abstractmethod
    def sides(self) -> int: ...


class Square(Shape):
    def sides(self) -> int:
        return 4

    @overload
    def convert(self, value: int) -> int: ...

    @overload
    def convert(self, value: str) -> str: ...

    def convert(self, value: Union[int, str]) -> Union[int, str]:
        return value


class Big(Square):
    def sides(self) -> int:
        count = super().sides()
        return count


# Counts something.
@logged
def helper(value: int) -> int:
    doubled = value * 2
    return doubled


def describe(shape: Shape, prefix="", *, width=10) -> str:
    """
    Tells about a shape.

        indented example
    """
    text = prefix + shape.name
    parts = [
        text,
        str(shape.sides()),
    ]
    return " ".join(parts).ljust(width)


LIMIT = 3; SCALE = 2


async def later() -> None: pass
