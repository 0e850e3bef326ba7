import { setTimeout as delay } from 'node:timers/promises';
import { ifUserError } from '../../core/errors.ts';
import { visible } from '../../core/text/escapeInvisible.ts';
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

/**
 * Runs a move, and tells which other texts changed because of it: language servers update imports, TypeScript only afterwards, and
 * only if its server runs.
 *
 * @returns lines for the agent
 */
export async function withImportUpdates(
  location: Location,
  move: () => Promise<string[]>,
  ctx: Context,
  signal: AbortSignal,
): Promise<string[]> {
  const script = await scriptIn(location, ctx, signal);
  const policy = script && policyFor(script, ctx);
  if (policy) await startServer(script, ctx, signal).catch(ifUserError(undefined));
  const { workspace } = ctx.vscode;
  const changed = new Map<string, (typeof workspace.textDocuments)[number]>();
  let quiet = 0;
  const listening = workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
    if (contentChanges.length === 0) return;
    changed.set(document.uri.toString(), document);
    quiet = 0;
  });
  try {
    const lines = await move();
    for (let waited = 0; waited < PATIENCE; waited += STEP, quiet += STEP) {
      if (quiet >= (policy === 'always' && changed.size === 0 ? PATIENCE : PAUSE)) break;
      await delay(STEP);
    }
    const located = await Promise.all([...changed.values()].map(({ uri }) => ctx.files.permitted(uri)));
    const names = located.flatMap((one) => (one ? [visible(one.path)] : [])).sort();
    const more = names.length > MOST ? ` and ${names.length - MOST} more` : '';
    const list = `VS Code also changed ${names.slice(0, MOST).join(', ')}${more}.`;
    return [...lines, ...(names.length > 0 ? [list] : []), ...(policy === 'prompt' ? [ASKS] : [])];
  } finally {
    listening.dispose();
  }
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
