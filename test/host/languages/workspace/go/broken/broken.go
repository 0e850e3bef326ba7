package broken

import "example.com/shop/shape"

func Broken() int {
	var square *shape.Square = shape.NewSquare(1, "wrong")
	return undefined + square.Label
}
