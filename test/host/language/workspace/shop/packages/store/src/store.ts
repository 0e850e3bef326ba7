import { type Priced, total } from '@shop/core';

export class Store {
  readonly items: Priced[] = [];

  add(item: Priced): this;
  add(id: string, price: number): this;
  add(item: Priced | string, price = 0): this {
    this.items.push(typeof item === 'string' ? { id: item, price: () => price } : item);
    return this;
  }

  sum(): number {
    return total(this.items);
  }
}
