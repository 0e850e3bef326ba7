/** Something with a price. */
export interface Priced {
  readonly id: string;
  price(): number;
}

/** An item of the catalogue. */
export abstract class Item implements Priced {
  constructor(readonly id: string) {}
  abstract price(): number;
  describe(): string;
  describe(width: number): string;
  describe(width = 0): string {
    return this.id.padEnd(width);
  }
}
