// Package shape has shapes: an interface, embedding, methods on pointers.
package shape

import "fmt"

// Shape is what every shape can do.
type Shape interface {
	Area() float64
	Name() string
}

// Base is embedded in all shapes.
type Base struct {
	Label string
	size  float64
}

// Name is the name of a shape.
func (b Base) Name() string { return b.Label }

// Square is embedded by Tile.
type Square struct {
	Base
}

// Area is the area of a square.
func (s *Square) Area() float64 {
	return s.size * s.size
}

// Tile is a square with a colour.
type Tile struct {
	*Square
	Colour Colour
}

type Colour int

const (
	Red Colour = iota
	Green
	Blue
)

var (
	first  = 1
	second = 2
)

const a, b = 3, 4

// NewSquare makes a square.
func NewSquare(label string, size float64) *Square {
	return &Square{Base{label, size}}
}

// Largest is the largest of some shapes.
func Largest(items ...Shape) Shape {
	best := items[0]
	for _, item := range items {
		if item.Area() > best.Area() {
			best = item
		}
	}
	return best
}

// Describe tells about a shape.
func Describe(s Shape) string {
	return fmt.Sprintf("%s %.1f %d", s.Name(), s.Area(), first+second+a+b)
}
