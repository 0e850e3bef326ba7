import { add, type Money, money } from './money.js';

export interface Line {
  text: string;
  price: Money;
  count: number;
}

export class Invoice {
  readonly lines: Line[] = [];

  addLine(text: string, price: Money, count = 1): this {
    this.lines.push({ text, price, count });
    return this;
  }

  total(): Money {
    return this.lines.map(({ price, count }) => money(price.cents * count)).reduce(add, money(0));
  }
}

// On purpose: a number is no Money.
export const shipping: Money = 490;
