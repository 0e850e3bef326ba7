import type * as vscode from 'vscode';
import { ifUserError } from '../../core/errors.ts';
import { visible } from '../../core/text/escapeInvisible.ts';
import { delay } from '../../util/clock.ts';
import type { Operation } from '../../workspace/edit/operations/operation.ts';
import type { Location } from '../../workspace/read/location.ts';
import type { Context } from '../context.ts';

/** How long TypeScript may take to begin with its changes, in milliseconds. */
const PATIENCE = 2_500;
/** Milliseconds without a change after which there are no more, and how often to look. */
const PAUSE = 500;
const STEP = 100;
/** Most files that are named. */
const MOST = 20;

const SCRIPT = /\.[cm]?[jt]sx?$/;
const ASKS =
  'VS Code may be asking the user whether to update imports. Call get_diagnostics on the files that import it.';

/** Other texts that change because of moves: language servers update imports, TypeScript only afterwards. */
export interface Following {
  /** Call it right before the moves. */
  begin(): void;
  /** The changed files, once there are no more, and what to tell the agent. */
  settled(): Promise<{ lines: string[]; changed: Location[] }>;
  dispose(): void;
}

/** Prepares for moves: TypeScript updates imports only if its server runs. @throws CancelledError */
export async function followMoves(
  operations: readonly Operation[],
  ctx: Context,
  signal: AbortSignal,
): Promise<Following> {
  const moves = operations.flatMap((one) => (one.type === 'move' ? [one.location] : []));
  const targets = new Set(
    operations.flatMap((one) => (one.type === 'move' ? [one.target.uri.toString()] : [])),
  );
  const scripts = await Promise.all(moves.map((one) => scriptIn(one, ctx, signal)));
  const script = scripts.find((one) => one !== undefined);
  const policy = script && policyFor(script, ctx);
  if (policy) await startServer(script, ctx, signal).catch(ifUserError(undefined));
  const changed = new Map<string, vscode.Uri>();
  let quiet = 0;
  let listening: { dispose(): void } | undefined;
  return {
    begin() {
      if (moves.length === 0) return;
      listening ??= ctx.vscode.workspace.onDidChangeTextDocument(({ document: { uri }, contentChanges }) => {
        if (contentChanges.length === 0) return;
        if (!targets.has(uri.toString())) changed.set(uri.toString(), uri);
        quiet = 0;
      });
    },
    async settled() {
      if (moves.length === 0) return { lines: [], changed: [] };
      for (let waited = 0; waited < PATIENCE; waited += STEP, quiet += STEP) {
        if (quiet >= (policy === 'always' && changed.size === 0 ? PATIENCE : PAUSE)) break;
        await delay(STEP);
      }
      const located = await Promise.all([...changed.values()].map((uri) => ctx.files.permitted(uri)));
      const locations = located.filter((one) => one !== undefined);
      const names = locations.map(({ path }) => visible(path)).sort();
      const more = names.length > MOST ? ` and ${names.length - MOST} more` : '';
      const list = `VS Code also changed ${names.slice(0, MOST).join(', ')}${more}.`;
      const lines = [...(names.length > 0 ? [list] : []), ...(policy === 'prompt' ? [ASKS] : [])];
      return { lines, changed: locations };
    },
    dispose: () => listening?.dispose(),
  };
}

/** The JavaScript or TypeScript file that is moved, or the first one in the folder. */
async function scriptIn(
  location: Location,
  { files }: Context,
  signal: AbortSignal,
): Promise<Location | undefined> {
  if (SCRIPT.test(location.path)) return location;
  const prefix = `${location.uri.toString()}/`;
  for (const { key, uri } of (await files.list(signal)).from(prefix)) {
    if (!key.startsWith(prefix)) break;
    if (SCRIPT.test(key)) return files.permitted(uri);
  }
  return undefined;
}

/** What VS Code does about imports; undefined for nothing. The setting has an older name too. */
function policyFor({ path }: Location, { vscode: { workspace } }: Context): string | undefined {
  const name = 'updateImportsOnFileMove.enabled';
  const own = /\.[cm]?jsx?$/.test(path) ? 'javascript' : 'typescript';
  const { globalValue, workspaceValue } = workspace.getConfiguration('js/ts').inspect<string>(name) ?? {};
  const policy = workspaceValue ?? globalValue ?? workspace.getConfiguration(own).get<string>(name);
  return policy === 'never' ? undefined : policy;
}

async function startServer(script: Location, { files, providers }: Context, signal: AbortSignal) {
  const document = files.openDocument(script) ?? (await files.loadDocument(script));
  await providers.start(document, signal);
}
