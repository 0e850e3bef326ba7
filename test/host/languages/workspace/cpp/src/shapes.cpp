#include "shapes.hpp"

int unused_helper(int a) { return a; }

namespace geo {

std::string Shape::name() const { return "shape"; }

double Shape::scale(int factor) const { return size_ * factor; }

double Shape::scale(double factor) const {
  return size_ * factor;
}

Circle::Circle() { size_ = 2; }

double Circle::area() const { return 3.14 * SQUARE(size_); }

Square::Square(double size) { size_ = size; }

double Square::area() const { return SQUARE(size_); }

double total(const Shape& shape) { return shape.area(); }

double total(const std::vector<double>& areas) {
  double sum = 0;
  for (double area : areas) sum += area;
  return sum;
}

}  // namespace geo
