import { cutText } from '../../../core/text/cutText.ts';

/** Fewest UTF-16 units between two counts of tokens. */
const STEP = 64;

/** Collects a reply, up to a stop sequence or a number of tokens: models may ignore both in their options. */
export class LimitedText {
  readonly #stops: readonly string[];
  readonly #longestStop: number;
  readonly #maxTokens: number;
  readonly #count: (text: string) => PromiseLike<number>;
  #text = '';
  #reason: 'stopSequence' | 'maxTokens' | undefined;
  /** Length at which tokens are counted next. */
  #nextCount: number;

  /** @param count gives the tokens of a text */
  constructor(stops: readonly string[], maxTokens: number, count: (text: string) => PromiseLike<number>) {
    this.#stops = stops.filter((stop) => stop !== '');
    this.#longestStop = Math.max(0, ...this.#stops.map((stop) => stop.length));
    this.#maxTokens = maxTokens;
    this.#count = count;
    this.#nextCount = maxTokens + STEP;
  }

  get text(): string {
    return this.#text;
  }

  /** @returns whether the reply is complete, and the model can be stopped */
  async add(chunk: string): Promise<boolean> {
    const from = Math.max(0, this.#text.length - this.#longestStop);
    this.#text += chunk;
    const found = this.#stops.map((stop) => this.#text.indexOf(stop, from)).filter((at) => at >= 0);
    if (found.length > 0) {
      this.#text = this.#text.slice(0, Math.min(...found));
      this.#reason = 'stopSequence';
      return true;
    }
    return this.#text.length >= this.#nextCount && (await this.#countTokens()) > this.#maxTokens;
  }

  /** Cuts the text to its most tokens. @returns what ended it, if not the model */
  async end(): Promise<'stopSequence' | 'maxTokens' | undefined> {
    // A token has at least one byte.
    if (Buffer.byteLength(this.#text) < this.#maxTokens) return this.#reason;
    const tokens = await this.#countTokens();
    if (tokens > this.#maxTokens) this.#text = await this.#cut();
    // A model that keeps to the limit itself does not say so.
    return tokens >= this.#maxTokens ? 'maxTokens' : this.#reason;
  }

  async #countTokens(): Promise<number> {
    const tokens = await this.#count(this.#text);
    this.#nextCount = this.#text.length + Math.max(STEP, this.#maxTokens - tokens);
    return tokens;
  }

  /** The longest beginning that is within the limit. */
  async #cut(): Promise<string> {
    let [fits, tooLong] = [0, this.#text.length];
    while (tooLong - fits > 1) {
      const middle = Math.floor((fits + tooLong) / 2);
      if ((await this.#count(cutText(this.#text, middle))) <= this.#maxTokens) fits = middle;
      else tooLong = middle;
    }
    return cutText(this.#text, fits);
  }
}
