import { fieldsOf, itemsOf, parsedJson } from '../../core/json.ts';
import { clock } from '../../util/clock.ts';
import { rootPath } from '../../util/diskPaths.ts';
import { lineOf } from './jsonRpc.ts';

/** The id of the shim's own request; windows use other ids. */
const ID = 'workspace-mcp-shim:roots';

/** How long calls wait for the answer, in milliseconds: as long as a window does. */
const PATIENCE = 2_000;

export const ROOTS_CHANGED = 'notifications/roots/list_changed';

/** Requests the client roots, which may select the window. */
export class ClientRoots {
  readonly #ask: (line: string) => void;
  readonly #onKnown: () => void;
  #isAsked = false;
  #isAnswered = false;
  #stopWaiting: (() => void) | undefined;

  /** @param ask sends a line to the client @param onKnown called when calls no longer wait for the roots */
  constructor(ask: (line: string) => void, onKnown: () => void) {
    this.#ask = ask;
    this.#onKnown = onKnown;
  }

  /** Whether calls still wait for the roots and for the search that follows. */
  get areAwaited(): boolean {
    return this.#stopWaiting !== undefined;
  }

  /** Sends the request, once. */
  ask(): void {
    if (this.#isAsked) return;
    this.#isAsked = true;
    this.#isAnswered = false;
    this.#stopWaiting = clock.after(PATIENCE, () => this.settle());
    this.#ask(lineOf({ id: ID, method: 'roots/list' }));
  }

  /** The roots have changed: the request may be sent again. */
  changed(): void {
    this.#isAsked = false;
  }

  /** @param ids of the answers in a line @returns whether one is the answer to the request */
  takes(ids: readonly unknown[]): boolean {
    if (!ids.includes(ID)) return false;
    this.#isAnswered = true;
    return true;
  }

  /** A search for a window has ended. */
  looked(): void {
    if (this.#isAnswered) this.settle();
  }

  /** Calls no longer wait for the roots. */
  settle(): void {
    if (!this.#stopWaiting) return;
    this.#stopWaiting();
    this.#stopWaiting = undefined;
    this.#onKnown();
  }
}

/** The paths in a client's answer. Roots that are not on a disk of this machine are left out. */
export function rootsIn(answer: Buffer): string[] {
  const { result } = fieldsOf(parsedJson(answer.toString()));
  return itemsOf(fieldsOf(result).roots).flatMap((root) => {
    const { uri } = fieldsOf(root);
    return (typeof uri === 'string' && rootPath(uri)) || [];
  });
}
