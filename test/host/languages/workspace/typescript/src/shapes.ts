export interface Shape {
  area(): number;
}

export class Square implements Shape {
  constructor(readonly size: number) {}

  area(): number {
    return this.size * this.size;
  }
}

/** The largest of some shapes. */
export function largest(...shapes: Shape[]): Shape {
  return shapes.reduce((best, shape) => (shape.area() > best.area() ? shape : best));
}
