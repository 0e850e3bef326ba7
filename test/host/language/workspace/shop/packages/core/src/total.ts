import type { Priced } from './model';

/** The sum of all prices, in cents. */
export function total(items: readonly Priced[]): number {
  return items.reduce((sum, one) => sum + one.price(), 0);
}
