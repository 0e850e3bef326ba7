import { total } from '@shop/core';
import { Store } from '@shop/store';

export function report01(): number {
  return total(new Store().add('a', 1).items);
}
