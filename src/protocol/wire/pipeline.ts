import { idOfPart, MAX_LINE, tooLongReply } from '../../core/jsonRpc.ts';
import { type Answers, Batch } from './batch.ts';
import { type Item, readText } from './incoming.ts';
import { Outbox, type Outlet } from './outbox.ts';
import { PipelineTransport, type RequestHooks } from './transport.ts';

/**
 * The wire without a socket. The text of one message goes in by `take`; the texts of answers, requests and notifications
 * come out by `Outlet.send`. In between: the checks of JSON-RPC, older spellings, limits, batches, the shape of errors.
 * The transport (a socket, a WebSocket, HTTP) only splits the stream into messages.
 */
export class Pipeline {
  /** For `serveStdio(factory, { transport })`. */
  readonly transport: PipelineTransport;
  readonly #outbox: Outbox;

  constructor(outlet: Outlet, hooks: RequestHooks) {
    this.#outbox = new Outbox(outlet);
    this.transport = new PipelineTransport(this.#outbox, hooks);
  }

  /**
   * Takes the text of one message or batch from the agent.
   *
   * @returns a promise to await before the next one; undefined if that can be given at once
   */
  take(text: string): Promise<void> | undefined {
    if (text.length > MAX_LINE) this.refuseTooLong(text.slice(0, 512), text.slice(-512));
    else this.#takeText(text);
    return this.#outbox.backlog();
  }

  /** Refuses a message past {@link MAX_LINE} of which only the start and the end were kept. */
  refuseTooLong(beginning: string, ending: string): void {
    this.#outbox.settle(tooLongReply(idOfPart(beginning, ending)));
  }

  /** Call this when the agent has read everything that was sent. */
  drained(): void {
    this.#outbox.drained();
    this.transport.budget.look();
  }

  /** Ends the connection: nothing more is sent, and the agent's running requests are aborted. */
  close(): void {
    void this.transport.close();
  }

  #takeText(text: string): void {
    const incoming = readText(text);
    if (incoming.kind === 'batch') this.#takeBatch(incoming.items, text.length);
    else this.#takeItem(incoming, text.length, this.#outbox);
  }

  #takeBatch(items: Item[], size: number): void {
    const refusal = this.transport.refusalOfBatch();
    if (refusal) return void this.#outbox.settle(refusal);
    const batch = new Batch(items.length, (replies) => this.#outbox.send(replies));
    for (const item of items) this.#takeItem(item, size, batch);
  }

  #takeItem(item: Item, size: number, answers: Answers): void {
    if (item.kind === 'reply') answers.settle(item.reply);
    else if (item.kind === 'message') this.transport.take(item.message, size, answers);
    else answers.settle();
  }
}
