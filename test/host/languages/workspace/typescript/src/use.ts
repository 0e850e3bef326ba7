import { largest, Square } from './shapes.js';

const square = new Square(2);

export function show(): string {
  return `${largest(square, new Square(3)).area()}`;
}
