import { Item01 } from '@shop/core';
import type { Store } from './store';

export function fill01(store: Store): number {
  return store.add(new Item01('a')).add('b', 1).sum();
}
