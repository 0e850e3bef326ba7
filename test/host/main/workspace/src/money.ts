/** An amount in cents, so that sums are exact. */
export interface Money {
  cents: number;
}

export const money = (cents: number): Money => ({ cents });

export const add = (a: Money, b: Money): Money => money(a.cents + b.cents);

export const format = ({ cents }: Money): string => `${(cents / 100).toFixed(2)} €`;
