/** Problems of files for an LSP client, which are pushed to it. */
import { ifUserError, UserError } from '../../core/errors.ts';
import type { CheckedFile } from '../../core/lsp/door.ts';
import { visible } from '../../core/text/visible.ts';
import { importersOf } from '../../services/language/importLines.ts';
import { inParallel } from '../../util/queues.ts';
import type { Location } from '../../workspace/read/location.ts';
import { isNotebook } from '../../workspace/read/notebooks.ts';
import type { Context } from '../context.ts';
import { AT_ONCE, check, type Problem, problemsOfFile, SEVERITIES } from '../language/fileProblems.ts';
import type { ClientTexts } from './clientTexts.ts';

/** Files that use others, and are checked. */
const MOST_USERS = 20;

interface Checked {
  files: CheckedFile[];
  /** Why the problems of the others are not known. */
  notes: string[];
}

/**
 * The settled problems of files: all in those that the client has open, errors in others. Those whose problems are not known, or are
 * of another text than the client's, are left out.
 */
export async function checkFiles(
  uris: readonly string[],
  texts: ClientTexts,
  ctx: Context,
  signal: AbortSignal,
): Promise<Checked> {
  const located = await Promise.all(
    uris.map((uri) => ctx.files.locateUri(uri).catch(ifUserError(undefined))),
  );
  return checkAll(
    located.filter((one) => one !== undefined),
    texts,
    ctx,
    signal,
  );
}

/** As `checkFiles`, of files that use others, and of those that the client knows errors of. */
export async function checkUsers(
  uris: readonly string[],
  known: readonly string[],
  texts: ClientTexts,
  ctx: Context,
  signal: AbortSignal,
): Promise<Checked> {
  const { files, language, vscode } = ctx;
  const locate = async (uri: string) => files.locateUri(uri).catch(ifUserError(undefined));
  const named = (await Promise.all(uris.map(locate))).filter((one) => one !== undefined);
  const importing = await Promise.all(
    named.map((one) => importersOf(one, ctx, signal).catch(ifUserError([]))),
  );
  await language.unloaded.settled(signal);
  const reported = [...language.unloaded.errors()].flatMap(([uri, errors]) => (errors.length > 0 ? uri : []));
  const others = await Promise.all(
    [...known, ...reported].map((uri) => files.permitted(vscode.Uri.parse(uri))),
  );
  const own = new Set(named.map(({ path }) => path));
  const found = [...others, ...importing.flat()].filter((one) => one !== undefined && !own.has(one.path));
  const users = [...new Map(found.map((one) => [one?.path, one])).values()].filter(
    (one) => one !== undefined,
  );
  const first = users.slice(0, known.length + MOST_USERS);
  const checked = await checkAll(first, texts, ctx, signal);
  const left = users.length - first.length;
  if (left > 0) checked.notes.push(`${left} more files use what was changed: they were not checked.`);
  return checked;
}

async function checkAll(
  locations: readonly Location[],
  texts: ClientTexts,
  ctx: Context,
  signal: AbortSignal,
): Promise<Checked> {
  const notes: string[] = [];
  const files = await inParallel(locations, AT_ONCE, async (one): Promise<CheckedFile[]> => {
    const uri = texts.spelling(`${one.uri}`);
    try {
      return [{ uri, diagnostics: await diagnosticsOf(one, texts, ctx, signal) }];
    } catch (error) {
      if (!(error instanceof UserError)) throw error;
      notes.push(error.message);
      return error instanceof PendingError ? [{ uri }] : [];
    }
  });
  return { files: files.flat(), notes };
}

/** A language server has not reported on the text yet. */
class PendingError extends UserError {
  override name = 'PendingError';
}

/** @throws UserError if they are not known, or are those of another text than the client's; CancelledError */
export async function diagnosticsOf(
  location: Location,
  texts: ClientTexts,
  ctx: Context,
  signal: AbortSignal,
): Promise<object[]> {
  const path = visible(location.path);
  if (isNotebook(location)) throw new UserError(`${path} is a notebook: get_diagnostics has its problems.`);
  const found = await check(location, ctx, signal);
  if (!(await texts.isSame(location)))
    throw new UserError(`${path} has other text in VS Code than yours: its problems are of that text.`);
  if (found.state === 'unchecked') throw new UserError(`No extension in VS Code is known to check ${path}.`);
  if (found.state === 'pending')
    throw new PendingError(`The problems of ${path} are not known yet. Ask again.`);
  const mildest = texts.isOpen(location.uri) ? 'hint' : 'error';
  return (await problemsOfFile(found, mildest, ctx)).map(diagnosticOf);
}

/** In LSP's form. */
function diagnosticOf({ line, column, endLine = line, endColumn, severity, message, source, code }: Problem) {
  return {
    range: {
      start: { line: line - 1, character: column - 1 },
      end: { line: endLine - 1, character: endColumn - 1 },
    },
    severity: SEVERITIES.indexOf(severity) + 1,
    message,
    ...(source && { source }),
    ...(code !== undefined && { code }),
  };
}
