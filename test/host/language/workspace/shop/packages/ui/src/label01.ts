import { type Priced, total } from '@shop/core';

export function label01(items: readonly Priced[]): string {
  return `01: ${total(items)}`;
}
