import type { RequestId } from '@modelcontextprotocol/server';
import { MAX_BATCH_ANSWER, tooLarge } from './limits.ts';
import { errorReplyOf, type Reply } from './replies.ts';

/** Receives the answer to a message: sends it at once, or adds it to the array of its batch. */
export interface Answers {
  /** The message is answered, or needs no answer. Returns the size of the answer in UTF-16 units. */
  settle(reply?: Reply): number;
}

const LIMIT = { limit: MAX_BATCH_ANSWER, unit: 'characters of the answers to a batch' };

/** A JSON-RPC batch (MCP up to 2025-03-26): answered by one array, when all answers are known. */
export class Batch implements Answers {
  readonly #replies: Reply[] = [];
  readonly #send: (replies: readonly Reply[]) => void;
  #open: number;
  #size = 0;

  /** @param size number of messages, each to be settled once */
  constructor(size: number, send: (replies: readonly Reply[]) => void) {
    this.#open = size;
    this.#send = send;
  }

  /** All answers wait for the last one, so those past {@link MAX_BATCH_ANSWER} are replaced by errors. */
  settle(reply?: Reply): number {
    const size = reply ? JSON.stringify(reply).length : 0;
    const fits = this.#size + size <= MAX_BATCH_ANSWER;
    if (reply) this.#replies.push(fits ? reply : errorReplyOf(reply.id as RequestId, tooLarge(LIMIT)));
    if (fits) this.#size += size;
    this.#open--;
    if (this.#open === 0 && this.#replies.length > 0) this.#send(this.#replies);
    return size;
  }
}
