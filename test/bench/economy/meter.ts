/** Counts what a model writes for its calls, and reads of their results. */
import type { Client } from '../client.ts';

/** Bytes of UTF-8: `in` the parameters of `tools/call`, `out` the text of the results. */
export interface Tally {
  calls: number;
  in: number;
  out: number;
}

const NOTHING: Readonly<Tally> = { calls: 0, in: 0, out: 0 };

export const sum = (tallies: readonly Tally[]): Tally =>
  tallies.reduce((a, b) => ({ calls: a.calls + b.calls, in: a.in + b.in, out: a.out + b.out }), NOTHING);

export const bytes = (tally: Tally): number => tally.in + tally.out;

export const tallyOf = (params: object, text: string): Tally => ({
  calls: 1,
  in: Buffer.byteLength(JSON.stringify(params)),
  out: Buffer.byteLength(text),
});

/** One agent's calls, counted. */
export class Meter {
  readonly #client: Client;
  #tally: Tally = NOTHING;
  /** The last call's tally. */
  last: Tally = NOTHING;

  constructor(client: Client) {
    this.#client = client;
  }

  /** What was counted since the last time. */
  take(): Tally {
    const tally = this.#tally;
    this.#tally = NOTHING;
    return tally;
  }

  /** Resolves to the text that a model gets. @throws Error with that text if the tool failed */
  async call(name: string, args: object): Promise<string> {
    const params = { name, arguments: args };
    const { result, error } = JSON.parse((await this.#client.request('tools/call', params)).toString());
    const blocks: { text?: string }[] = result?.content ?? [{ text: JSON.stringify(error) }];
    const text = blocks.map((block) => block.text ?? '').join('\n');
    if (error || result.isError) throw new Error(`${name} failed: ${text}`);
    this.last = tallyOf(params, text);
    this.#tally = sum([this.#tally, this.last]);
    return text;
  }
}
