import { fieldsOf, itemsOf, parsedJson } from '../../core/json.ts';
import { pathOfFileUri } from '../window/fileUris.ts';
import { lineOf } from './jsonRpc.ts';

/** The shim asks by an id of its own; windows, which ask by others, know nothing of it. */
const ID = 'workspace-mcp-shim:roots';

/** How long calls wait for the answer, in milliseconds: as long as a window waits for it. */
const PATIENCE = 2_000;

export const ROOTS_CHANGED = 'notifications/roots/list_changed';

/** The question for the roots of a client, which may choose its window. */
export class ClientRoots {
  readonly #ask: (line: string) => void;
  readonly #onKnown: () => void;
  #isAsked = false;
  #isAnswered = false;
  #timer: NodeJS.Timeout | undefined;

  /** @param ask sends a line to the client @param onKnown called when the answer is no longer waited for */
  constructor(ask: (line: string) => void, onKnown: () => void) {
    this.#ask = ask;
    this.#onKnown = onKnown;
  }

  /** Whether what they lead to is still to be seen. */
  get areAwaited(): boolean {
    return this.#timer !== undefined;
  }

  /** Asks, once. */
  ask(): void {
    if (this.#isAsked) return;
    this.#isAsked = true;
    this.#isAnswered = false;
    this.#timer = setTimeout(() => this.settle(), PATIENCE);
    this.#ask(lineOf({ id: ID, method: 'roots/list' }));
  }

  /** They are others now: the question may be asked again. */
  changed(): void {
    this.#isAsked = false;
  }

  /** @param ids of the answers in a line. Returns whether one is the answer to the question */
  takes(ids: readonly unknown[]): boolean {
    if (!ids.includes(ID)) return false;
    this.#isAnswered = true;
    return true;
  }

  /** It has been looked for a window. */
  looked(): void {
    if (this.#isAnswered) this.settle();
  }

  /** Nothing waits for them any longer. */
  settle(): void {
    if (this.#timer === undefined) return;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#onKnown();
  }
}

/** The paths that a client names in its answer; what is on no disk of this machine is left out. */
export function rootsIn(answer: Buffer): string[] {
  const { result } = fieldsOf(parsedJson(answer.toString()));
  return itemsOf(fieldsOf(result).roots).flatMap((root) => {
    const { uri } = fieldsOf(root);
    return (typeof uri === 'string' && pathOfFileUri(uri, process.platform)) || [];
  });
}
