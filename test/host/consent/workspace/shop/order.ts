import { tax } from './tax.ts';

export interface Line {
  name: string;
  price: number;
  count: number;
}

export function total(lines: Line[]): number {
  let sum = 0;
  for (const line of lines) {
    sum += line.price * line.count;
  }
  return sum + tax(sum);
}

export function isFree(lines: Line[]): boolean {
  return total(lines) === 0;
}
