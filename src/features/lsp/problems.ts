/** Problems of files for an LSP client, which are pushed to it. */
import { ifUserError, UserError } from '../../core/errors.ts';
import type { CheckedFile } from '../../core/lsp/door.ts';
import { visible } from '../../core/text/visible.ts';
import { importersOf } from '../../services/language/importLines.ts';
import { inParallel } from '../../util/queues.ts';
import type { NewPath } from '../../workspace/edit/operations/operation.ts';
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

/** A language server has not reported on the text yet. */
export class PendingError extends UserError {
  override name = 'PendingError';
}

/** Nothing checks the file. A client that waits for a word on what it has written gets none in vain. */
class UncheckedError extends UserError {
  override name = 'UncheckedError';
}

/**
 * The settled problems of a file that the client has changed. None if they are not known, or are those of another text than the client's.
 *
 * @param uri as the client spells it
 */
export async function checkFile(
  uri: string,
  texts: ClientTexts,
  ctx: Context,
  signal: AbortSignal,
): Promise<Checked> {
  const location = await ctx.files.locateUri(uri);
  const { files, notes } = await checkAll([location], texts, ctx, signal);
  return { files: files.map((one) => ({ ...one, uri })), notes };
}

/**
 * As `checkFile`, of other files: those that the client knows errors of, those that use what it has changed, and those of which a
 * server that checks whole programs reports errors.
 */
export async function checkUsers(
  uris: readonly string[],
  known: readonly string[],
  texts: ClientTexts,
  ctx: Context,
  signal: AbortSignal,
): Promise<Checked> {
  const { files, language } = ctx;
  const located = (all: readonly string[]) =>
    inParallel(all, AT_ONCE, async (uri) => {
      const location = await files.locateUri(uri).catch(ifUserError(undefined));
      return location ? [location] : [];
    });
  const changed = await inParallel(uris, AT_ONCE, async (uri): Promise<NewPath[]> => {
    const gone = () => files.locateNew(uri).catch(ifUserError(undefined));
    const location = (await files.locateUri(uri).catch(ifUserError(undefined))) ?? (await gone());
    return location ? [location] : [];
  });
  const importing = await inParallel(changed.flat(), AT_ONCE, (one) =>
    importersOf(one, ctx, signal).catch(ifUserError([])),
  );
  await language.unloaded.settled(signal);
  const reported = [...language.unloaded.errors()].flatMap(([uri, errors]) => (errors.length > 0 ? uri : []));
  const others = [(await located(known)).flat(), importing.flat(), (await located(reported)).flat()].flat();
  const own = new Set(changed.flat().map(({ path }) => path));
  const users = [...new Map(others.map((one) => [one.path, one])).values()].filter(
    ({ path }) => !own.has(path),
  );
  const first = users.slice(0, known.length + MOST_USERS);
  const checked = await checkAll(first, texts, ctx, signal);
  const left = users.length - first.length;
  if (left > 0) checked.notes.push(`${left} more files may have new errors: they were not checked.`);
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
    const uri = texts.spelling(one);
    try {
      const mildest = texts.isOpen(one) ? 'hint' : 'error';
      return [{ uri, diagnostics: await diagnosticsOf(one, mildest, texts, ctx, signal) }];
    } catch (error) {
      if (!(error instanceof UserError)) throw error;
      notes.push(error.message);
      if (error instanceof PendingError) return [{ uri }];
      return error instanceof UncheckedError ? [{ uri, diagnostics: [] }] : [];
    }
  });
  return { files: files.flat(), notes };
}

/** In LSP's form. @throws UserError if they are not known, or are those of another text than the client's; CancelledError */
export async function diagnosticsOf(
  location: Location,
  mildest: 'hint' | 'error',
  texts: ClientTexts,
  ctx: Context,
  signal: AbortSignal,
): Promise<object[]> {
  const path = visible(location.path);
  if (isNotebook(location)) throw new UserError(`${path} is a notebook: get_diagnostics has its problems.`);
  const requireSame = async () => {
    if (!(await texts.isSame(location)))
      throw new UserError(`${path} has other text in VS Code than yours: its problems are of that text.`);
  };
  await requireSame();
  const found = await check(location, ctx, signal);
  await requireSame();
  if (found.state === 'unchecked')
    throw new UncheckedError(`No extension in VS Code is known to check ${path}.`);
  if (found.state === 'pending')
    throw new PendingError(`The problems of ${path} are not known yet. Ask again.`);
  return (await problemsOfFile(found, mildest, ctx)).map(diagnosticOf);
}

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
