import { total } from '@shop/core';

/** @param {readonly import('@shop/core').Priced[]} items */
export function legacyLabel(items) {
  return rounded(total(items));
}

/** @param {number} price */
function rounded(price) {
  return price.toFixed(0);
}
