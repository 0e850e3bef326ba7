import assert from 'node:assert/strict';
import { cancelledBy, type Id, isObject, isSame, type Owed, owedFor } from './oracle.ts';
import { faultOf, type Message, requireOwnMessage, requireReply } from './replies.ts';

/** Requests whose replies come in any order. Where an id is used twice, each reply has to fit one of its requests. */
class Group {
  readonly owed: Owed[];
  readonly #replies: Message[] = [];

  constructor(owed: Owed[] = []) {
    this.owed = owed;
  }

  /** Takes a reply that is owed; else it tells why it is not. */
  take(reply: Message, version: string): string | undefined {
    const owed = this.owed.filter(({ id }) => isSame(id, reply.id));
    const faults = owed.map((one) => faultOf(reply, one, version));
    if (this.#countOf(reply.id) >= owed.length) return `not owed${owed.length > 0 ? ' twice' : ''}`;
    if (!faults.includes(undefined)) return faults.join('; ');
    this.#replies.push(reply);
    return undefined;
  }

  /** What has to come, and has not. */
  get missing(): Owed[] {
    const must = this.owed.filter(({ optional }) => !optional);
    return must.filter(({ id }) => this.#countOf(id) < must.filter((one) => isSame(one.id, id)).length);
  }

  #countOf(id: Id): number {
    return this.#replies.filter((reply) => isSame(reply.id, id)).length;
  }
}

/** What one connection still owes: nothing may come that is not owed, nor twice. */
export class Ledger {
  readonly #version: string;
  readonly #single = new Group();
  #batches: Owed[][] = [];

  constructor(version: string) {
    this.#version = version;
  }

  /** Takes note of a line before it is sent. */
  sent(line: string): void {
    const { one, batch } = owedFor(line, this.#version);
    if (one) this.#single.owed.push(one);
    if (batch) this.#batches.push(batch);
    for (const cancelled of cancelledBy(line, this.#version))
      for (const owed of [...this.#single.owed, ...this.#batches.flat()])
        if (isSame(owed.id, cancelled) && owed.method && owed.method !== 'initialize') owed.optional = true;
  }

  /** Answers that have not come and have to. */
  get missing(): Owed[] {
    return [...this.#single.missing, ...this.#batches.flat().filter(({ optional }) => !optional)];
  }

  /** @throws AssertionError where it is not owed, or is not what is owed */
  received(message: Message): void {
    if (isObject(message) && 'method' in message) requireOwnMessage(message);
    else this.#takeReplies(message);
  }

  #takeReplies(message: Message): void {
    for (const reply of [message].flat()) requireReply(reply);
    const fault = Array.isArray(message)
      ? this.#takeBatch(message)
      : this.#single.take(message, this.#version);
    assert.equal(fault, undefined, `A wrong answer (${fault}): ${JSON.stringify(message).slice(0, 1000)}`);
  }

  /** The smallest batch first: an optional answer is missing only if no batch without it fits. */
  #takeBatch(replies: Message[]): string | undefined {
    const faults: string[] = [];
    for (const batch of this.#batches.toSorted((one, other) => one.length - other.length)) {
      const group = new Group(batch);
      const found = replies.flatMap((reply) => group.take(reply, this.#version) ?? []);
      if (found.length > 0 || group.missing.length > 0) faults.push(...found);
      else {
        this.#batches = this.#batches.filter((one) => one !== batch);
        return undefined;
      }
    }
    return `no such batch: ${faults.join('; ')}`;
  }
}
