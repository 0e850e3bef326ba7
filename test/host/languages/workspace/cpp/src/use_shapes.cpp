#include "shapes.hpp"

using geo::Circle;

double twice(const geo::Shape& s) {
  return s.scale(2) + s.scale(0.5) + s.area();
}

int main() {
  Circle circle;
  geo::Square square(SHAPE_LIMIT);
  std::vector<double> areas = {circle.area(), square.area()};
  return static_cast<int>(geo::largest(areas) + geo::total(areas) + geo::total(circle) + twice(square)) +
         static_cast<int>(circle.name().size());
}
