import { fill01, type Store } from '@shop/store';
import { label01 } from '@shop/ui';

export function page01(store: Store): string {
  fill01(store);
  return label01(store.items);
}
