import assert from 'node:assert/strict';
import { Matching } from './matching.ts';
import { cancelledBy, type Id, isObject, isSame, type Owed, owedFor } from './oracle.ts';
import { faultOf, type Message, requireOwnMessage, requireReply } from './replies.ts';

/** What one connection still owes: nothing may come that is not owed, nor twice. */
export class Ledger {
  readonly #version: string;
  readonly #fits: (reply: Message, owed: Owed) => boolean;
  readonly #single: Matching<Message, Owed>;
  #batches: Owed[][] = [];

  constructor(version: string) {
    this.#version = version;
    this.#fits = (reply, owed) => isFor(reply, owed) && faultOf(reply, owed, version) === undefined;
    this.#single = new Matching(this.#fits);
  }

  /** Takes note of a line before it is sent. */
  sent(line: string): void {
    const { one, batch } = owedFor(line, this.#version);
    if (one) this.#single.expect(one);
    if (batch) this.#batches.push(batch);
    for (const id of cancelledBy(line, this.#version)) this.#cancel(id);
  }

  /** Answers that have not come and have to. */
  get missing(): Owed[] {
    return [...this.#single.missing, ...this.#batches.flat()].filter(({ optional }) => !optional);
  }

  /** @throws AssertionError where it is not owed, or is not what is owed */
  received(message: Message): void {
    if (Array.isArray(message)) this.#takeBatch(message);
    else if (isObject(message) && 'method' in message) requireOwnMessage(message);
    else {
      requireReply(message);
      if (!this.#single.take(message)) this.#fail(message, this.#single.expected);
    }
  }

  #takeBatch(replies: Message[]): void {
    for (const reply of replies) requireReply(reply);
    const fit = this.#batches.find((batch) => {
      const matching = new Matching(this.#fits);
      for (const owed of batch) matching.expect(owed);
      return (
        replies.every((reply) => matching.take(reply)) && matching.missing.every(({ optional }) => optional)
      );
    });
    if (!fit) this.#fail(replies, this.#batches.flat());
    this.#batches = this.#batches.filter((batch) => batch !== fit);
  }

  #fail(message: Message, expected: readonly Owed[]): never {
    const ofId = [message].flat().flatMap((reply) => expected.filter((owed) => isFor(reply, owed)));
    const faults = [message]
      .flat()
      .flatMap((reply) => ofId.map((owed) => faultOf(reply, owed, this.#version)));
    const why =
      faults.length > 0 ? faults.map((fault) => fault ?? 'there is one already').join('; ') : 'not owed';
    assert.fail(`A wrong answer (${why}): ${JSON.stringify(message).slice(0, 1000)}`);
  }

  #cancel(cancelled: Id): void {
    for (const owed of [...this.#single.expected, ...this.#batches.flat()])
      if (isSame(owed.id, cancelled) && owed.method && owed.method !== 'initialize') owed.optional = true;
  }
}

const isFor = ({ id: given }: Message, { id }: Owed): boolean => isSame(id, given);
