package shape

import "testing"

func TestLargest(t *testing.T) {
	small, large := NewSquare("small", 1), NewSquare("large", 2)
	if Largest(small, large) != Shape(large) {
		t.Fatal(Describe(small))
	}
}
