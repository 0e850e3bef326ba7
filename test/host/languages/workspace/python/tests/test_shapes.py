from shop.shapes import Square, helper


def test_helper():
    assert helper(2) == 4


def test_square():
    assert Square("a").sides() == 4
