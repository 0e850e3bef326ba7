import { check } from '@shop/core';
import { Store } from '@shop/store';
import { page01 } from './page01';
import { page02 } from './page02';

function allPages(): string {
  const store = new Store();
  return [page01(store), page02(store)].join();
}

function main(): void {
  check(allPages() !== '');
}

main();
