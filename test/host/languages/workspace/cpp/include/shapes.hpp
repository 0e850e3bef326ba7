#pragma once
#include <string>
#include <vector>

#define SHAPE_LIMIT 8
#define SQUARE(x) ((x) * (x))

int unused_helper(int a);

namespace geo {

/// What every shape has.
class Shape {
 public:
  virtual ~Shape() = default;
  virtual double area() const = 0;
  std::string name() const;
  double scale(int factor) const;
  double scale(double factor) const;

 protected:
  double size_ = 1;
};

class Circle : public Shape {
 public:
  Circle();
  double area() const override;
};

class Square : public Shape {
 public:
  explicit Square(double size);
  double area() const override;
};

enum class Colour { red, green, blue };

struct Tile {
  int width, height;
  Colour colour = Colour::red;
};

/// The largest of some values.
template <typename T>
T largest(const std::vector<T>& values) {
  T best = values[0];
  for (const T& value : values)
    if (value > best) best = value;
  return best;
}

double total(const Shape& shape);
double total(const std::vector<double>& areas);

}  // namespace geo
