import type { ErrorReply } from './errorReply.ts';
import type { Reply } from './versions.ts';

/** A JSON-RPC batch, as MCP had them up to 2025-03-26: answered by one array, when all of it is there. */
export class Batch {
  readonly #replies: (Reply | ErrorReply)[] = [];
  readonly #send: (replies: readonly (Reply | ErrorReply)[]) => void;
  #open: number;

  /** @param size how many messages it holds, each to be settled once */
  constructor(size: number, send: (replies: readonly (Reply | ErrorReply)[]) => void) {
    this.#open = size;
    this.#send = send;
  }

  /** One message less is open: answered, or owed no answer. Nothing is sent where that holds for all of them. */
  settle(reply?: Reply | ErrorReply): void {
    if (reply) this.#replies.push(reply);
    this.#open--;
    if (this.#open === 0 && this.#replies.length > 0) this.#send(this.#replies);
  }
}
