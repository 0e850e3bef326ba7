import { type Fields, fieldsOf, itemsOf, parsedJson } from '../../core/json.ts';
import type { RequestId } from '../../core/jsonRpc.ts';
import { within } from '../../util/clock.ts';
import { rootPath } from '../../util/diskPaths.ts';
import { type AgentLine, lineOf } from './jsonRpc.ts';
import type { RelayedSession } from './relayedSession.ts';
import type { WindowLink } from './windowLink.ts';

/** The id of the shim's own request; windows use other ids. */
const ID = 'workspace-mcp-shim:roots';

/** How long calls wait for the answer, in milliseconds: as long as a window does. */
const ROOTS_TIMEOUT_MS = 2_000;

/**
 * The client's roots, which may select the window and restrict what the agent may touch there. The client is asked once,
 * and again when it reports a change: by the shim while there is no window, else by the window. Later windows get the same
 * answer, unless the client reports no changes.
 */
export class RelayedRoots {
  stopWaiting = () => {};
  readonly #session: RelayedSession;
  readonly #onAnswer: (paths: readonly string[] | undefined) => void;
  /** The client's answer, unless the roots have changed since. */
  #result: Fields | undefined;
  /** Whether the shim has asked, and the roots have not changed since. */
  #isAsked = false;
  /** The window's request that was passed to the client. */
  #passed: RequestId | undefined;

  /** @param onAnswer called with the paths, or with undefined if the client failed */
  constructor(session: RelayedSession, onAnswer: (paths: readonly string[] | undefined) => void) {
    this.#session = session;
    this.#onAnswer = onAnswer;
  }

  /** Whether the shim may ask: it has not yet, and no answer is known. */
  get areUnknown(): boolean {
    return !this.#isAsked && !this.#result;
  }

  /** Asks the client. Resolves with its answer, or after {@link ROOTS_TIMEOUT_MS}: a later answer is taken too. */
  ask(): Promise<void> {
    this.#isAsked = true;
    this.#session.send(lineOf({ id: ID, method: 'roots/list' }));
    const answered = new Promise<void>((resolve) => {
      this.stopWaiting = resolve;
    });
    return within(answered, ROOTS_TIMEOUT_MS, undefined);
  }

  /** Takes a window's request. @returns whether it must be passed to the client */
  askedBy(window: WindowLink, id: RequestId): boolean {
    const isKnown = this.#result !== undefined && this.#session.rootsCapability?.listChanged === true;
    if (isKnown) window.send(lineOf({ id, result: this.#result }));
    else this.#passed = id;
    return !isKnown;
  }

  /** The client reports a change. */
  changed(): void {
    this.#isAsked = false;
    this.#result = undefined;
    this.#passed = undefined;
  }

  /** Reads the client's answer, if the line has it. @returns whether the shim had asked for it */
  takes({ answers, bytes }: AgentLine): boolean {
    const id = answers.find((one) => one === ID || one === this.#passed);
    if (id === undefined) return false;
    const isOwn = id === ID;
    if (isOwn && !this.#isAsked) return true; // of before a change
    const messages = [parsedJson(bytes.toString())].flat().map(fieldsOf);
    const { result } = messages.find((message) => message.id === id) ?? {};
    this.#result = result ? fieldsOf(result) : undefined;
    this.#onAnswer(this.#result && pathsIn(this.#result));
    if (isOwn) this.stopWaiting();
    return isOwn;
  }
}

/** The paths of a client's roots. Roots that are not on a disk of this machine are left out. */
const pathsIn = ({ roots }: Fields): string[] =>
  itemsOf(roots).flatMap((root) => {
    const { uri } = fieldsOf(root);
    return (typeof uri === 'string' && rootPath(uri)) || [];
  });
