import { Item } from '../model';

export class Item01 extends Item {
  override price(): number {
    return 1;
  }
}
