import { cutText } from '../../core/text/cutText.ts';

/** Most items that are named for one reason, and most UTF-16 units of such a name. */
const MOST_NAMED = 5;
const LONGEST_NAME = 60;

/** The items of one list that agents do not get, by reason. A list may have millions of them. */
export class LeftOut {
  readonly #list: string;
  readonly #byReason = new Map<string, { named: string[]; count: number }>();

  /** @param list its name */
  constructor(list: string) {
    this.#list = list;
  }

  /** @param id of the item, as the server sent it */
  add(id: unknown, reason: string): void {
    const known = this.#byReason.get(reason) ?? { named: [], count: 0 };
    this.#byReason.set(reason, known);
    known.count++;
    if (known.named.length < MOST_NAMED) known.named.push(cutText(`${id}`, LONGEST_NAME));
  }

  /** One for each reason. */
  get lines(): string[] {
    return [...this.#byReason].map(([reason, { named, count }]) => {
      const more = count > named.length ? ` and ${count - named.length} more` : '';
      return `${this.#list}: ${named.join(', ')}${more} (${reason})`;
    });
  }
}
