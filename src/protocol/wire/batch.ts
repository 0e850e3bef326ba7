import type { RequestId } from '@modelcontextprotocol/server';
import type { ErrorReply } from '../../core/errorReply.ts';
import { MAX_BATCH_ANSWER, tooLargeReply } from './limits.ts';
import type { Reply } from './versions.ts';

/** A JSON-RPC batch, as MCP had them up to 2025-03-26: answered by one array, when all of it is there. */
export class Batch {
  readonly #replies: (Reply | ErrorReply)[] = [];
  readonly #send: (replies: readonly (Reply | ErrorReply)[]) => void;
  #open: number;
  #size = 0;

  /** @param size how many messages it holds, each to be settled once */
  constructor(size: number, send: (replies: readonly (Reply | ErrorReply)[]) => void) {
    this.#open = size;
    this.#send = send;
  }

  /**
   * One message less is open: answered, or owed no answer. Nothing is sent where that holds for all of them. All answers
   * wait for the last one, so past {@link MAX_BATCH_ANSWER} an error stands in their place. Returns the size of the answer.
   */
  settle(reply?: Reply | ErrorReply): number {
    const size = reply ? JSON.stringify(reply).length : 0;
    const fits = this.#size + size <= MAX_BATCH_ANSWER;
    if (reply) this.#replies.push(fits ? reply : tooLargeReply(reply.id as RequestId, MAX_BATCH_ANSWER));
    if (fits) this.#size += size;
    this.#open--;
    if (this.#open === 0 && this.#replies.length > 0) this.#send(this.#replies);
    return size;
  }
}
