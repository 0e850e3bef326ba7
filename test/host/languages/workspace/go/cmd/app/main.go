package main

import (
	"fmt"

	"example.com/shop/shape"
)

func main() {
	square := shape.NewSquare("square", 2)
	tile := shape.Tile{Square: square, Colour: shape.Green}
	fmt.Println(shape.Describe(shape.Largest(square, tile)))
}
