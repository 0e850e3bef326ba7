from shop.missing import nothing
from shop.shapes import helper

value: int = "text"
helper("x")
print(undefined_name)
