#include "shapes.hpp"

int broken() {
  geo::Square square;
  return undeclared + unused_helper("text");
}
