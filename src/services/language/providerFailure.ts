import { UserError } from '../../core/errors.ts';
import type { Wanted } from './providerCommands.ts';

/** What an error of a provider says about its server; `dropped`: the same request may succeed. */
type FailureKind = 'not offered' | 'starting' | 'stopped' | 'dropped' | 'failed';

/** Codes of JSON-RPC, of `vscode-jsonrpc` and of LSP 3.17. */
const CODES: Readonly<Record<string, FailureKind>> = {
  '-32601': 'not offered', // MethodNotFound
  '-32002': 'starting', // ServerNotInitialized
  '-32096': 'stopped', // ConnectionInactive
  '-32097': 'stopped', // PendingResponseRejected
  '-32099': 'stopped', // MessageWriteError
  '-32800': 'dropped', // RequestCancelled
  '-32801': 'dropped', // ContentModified
  '-32802': 'dropped', // ServerCancelled
};

/** What servers and clients say instead: VS Code passes on the message of an error, but seldom its code. */
const TEXTS: readonly [RegExp, FailureKind][] = [
  [
    /\bmethod ?not ?found|(unhandled|unknown|unsupported) (request )?method|unknown request|no handler for|no method by the name/i,
    'not offered',
  ],
  [/\bnot (yet )?(ready|initialized)|still (starting|loading|indexing)|no views/i, 'starting'],
  [
    /connection (got|is|was) (closed|disposed)|(client|server) (is|was|has|got) (not running|stopped|disposed|crashed|exited)|stream was destroyed|channel (has been )?closed|\bEPIPE\b/i,
    'stopped',
  ],
  [/\bcancell?ed\b|content modified|non-added document/i, 'dropped'],
];

function kindOf(error: unknown): FailureKind {
  const { code, message = String(error) } = (error ?? {}) as { code?: unknown; message?: string };
  return CODES[String(code)] ?? TEXTS.find(([text]) => text.test(message))?.[1] ?? 'failed';
}

const SENTENCES: Readonly<Record<FailureKind, (what: Wanted) => string>> = {
  'not offered': (what) => `The language server does not offer ${what}.`,
  starting: (what) => `The language server is still starting and gave no answer about ${what}. Try again.`,
  stopped: (what) =>
    `The language server has stopped and gave no answer about ${what}. Try again, or ask the user to restart it.`,
  dropped: (what) => `The language server was busy and dropped the request for ${what}. Try again.`,
  failed: (what) => `The language server failed to give ${what}. Ask the user to look at its output.`,
};

/** gopls says the same for each variant of a package, without anything between, and separates its words with tabs. */
function saidOnce(reason: string): string {
  const lines = reason.split('\n').map((line) => line.replaceAll(/\t+/g, ' ').trim());
  const whole = [...new Set(lines.filter(Boolean))].join('\n');
  return /^(.{10,2000}?)\s*(?:\1\s*)+$/s.exec(whole)?.[1] ?? whole;
}

export class ProviderFailure extends UserError {
  readonly kind: FailureKind;
  /** As it says; it may quote redacted text. */
  readonly reason: string;

  constructor(what: Wanted, error: unknown) {
    const kind = kindOf(error);
    super(SENTENCES[kind](what));
    this.kind = kind;
    this.reason = saidOnce(error instanceof Error ? error.message : String(error));
  }
}
