from shop import shapes
from shop.shapes import Big, Square, describe, helper as help_me

square = Square("a")
square.area = 2.5
print(square.area, square.convert(1), square.convert("x"))
print(describe(Big("b"), "> "), help_me(2), shapes.helper(3))


def count() -> int:
    return square.sides() + Big("c").sides()
