import type { RequestId } from '@modelcontextprotocol/server';
import { CancelledError, throwIfCancelled } from '../../core/errors.ts';

/** Most bytes of one agent's answers that are in progress or unread. A single answer may be larger. */
const MAX_BYTES = 32 * 1024 * 1024;

interface Waiting {
  id: RequestId;
  bytes: number;
  begin(): void;
}

/**
 * Limits the memory of the answers to one agent. A large answer starts only when there is room for it: an agent may ask for a
 * thousand files at once and not read the answers.
 */
export class AnswerBudget {
  readonly #unread: () => number;
  readonly #taken = new Map<RequestId, number>();
  #waiting: Waiting[] = [];

  /** @param unread bytes that were sent but not read by the agent */
  constructor(unread: () => number) {
    this.#unread = unread;
  }

  /** Waits until that many bytes are available, in order of requests. Held until {@link free}. @throws CancelledError */
  async take(id: RequestId, bytes: number, signal: AbortSignal): Promise<void> {
    throwIfCancelled(signal);
    await new Promise<void>((resolve, reject) => {
      const end = () => {
        this.#waiting = this.#waiting.filter((one) => one !== waiting);
        reject(new CancelledError('The request was cancelled.'));
      };
      const begin = () => {
        signal.removeEventListener('abort', end);
        resolve();
      };
      const waiting = { id, bytes, begin };
      signal.addEventListener('abort', end);
      this.#waiting.push(waiting);
      this.look();
    });
  }

  /** A request has ended: its answer is unread, or dropped. */
  free(id: RequestId): void {
    if (this.#taken.delete(id)) this.look();
  }

  /** Starts the waiting answers for which there is room. */
  look(): void {
    let total = this.#unread();
    for (const bytes of this.#taken.values()) total += bytes;
    for (let [first] = this.#waiting; first; [first] = this.#waiting) {
      if (total > 0 && total + first.bytes > MAX_BYTES) return;
      this.#waiting.shift();
      total += first.bytes;
      this.#taken.set(first.id, (this.#taken.get(first.id) ?? 0) + first.bytes);
      first.begin();
    }
  }
}
