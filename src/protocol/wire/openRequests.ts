import { INVALID_REQUEST, ProtocolError, type RequestId } from '@modelcontextprotocol/server';
import { cutMiddle } from '../../core/text/cutText.ts';
import { clock } from '../../util/clock.ts';
import type { Answers } from './batch.ts';
import { MAX_OPEN, MAX_OPEN_SIZE, MAX_RATE, tooFast, tooMany, tooMuch } from './limits.ts';

export interface OpenRequest {
  method: string;
  /** UTF-16 units; 0 in a batch. */
  size: number;
  answers: Answers;
}

/** The requests of one agent that wait for their answers. */
export class OpenRequests {
  readonly #all = new Map<RequestId, OpenRequest>();
  #size = 0;
  /** The current second, and the number of its requests. */
  #second = { start: 0, count: 0 };

  get(id: RequestId): OpenRequest | undefined {
    return this.#all.get(id);
  }

  /**
   * @param size of its message, in UTF-16 units
   * @throws ProtocolError if it cannot be taken
   */
  requireRoom(id: RequestId, size: number): void {
    const now = clock.now();
    if (now - this.#second.start >= 1000) this.#second = { start: now, count: 0 };
    if (++this.#second.count > MAX_RATE) throw tooFast();
    if (this.#all.has(id)) throw idInUse(id);
    if (this.#all.size >= MAX_OPEN) throw tooMany();
    if (this.#all.size > 0 && this.#size + size > MAX_OPEN_SIZE) throw tooMuch();
  }

  begin(id: RequestId, request: OpenRequest): void {
    this.#all.set(id, request);
    this.#size += request.size;
  }

  end(id: RequestId): void {
    this.#size -= this.#all.get(id)?.size ?? 0;
    this.#all.delete(id);
  }

  clear(): void {
    this.#all.clear();
  }
}

const idInUse = (id: RequestId): ProtocolError =>
  new ProtocolError(
    INVALID_REQUEST,
    `Invalid request: the id ${cutMiddle(JSON.stringify(id), 200)} is still in use.`,
  );
