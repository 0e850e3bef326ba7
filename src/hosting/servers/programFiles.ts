import { lstatSync, readlinkSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import type * as vscode from 'vscode';
import { attempt } from '../../core/errors.ts';
import { asJudged, comparable, folded } from '../../core/paths.ts';
import { isStdio } from '../config/definition.ts';
import { filesNamedBy } from '../config/resolve/namedFiles.ts';
import { inputsUsed } from '../config/resolve/resolveLaunch.ts';
import type { UsableServer } from '../config/sources.ts';
import { startPlace } from './launcher.ts';

/** Links in a row that are followed: they may form a circle. */
const MOST_LINKS = 40;

/**
 * The files that the definitions of hosted servers name, by `programKey`, with the names of the servers: agents may not change them
 * unasked, because they decide what runs.
 */
export function programFiles(servers: readonly UsableServer[], code: Code): Map<string, string> {
  const known = new Map<string, string>();
  const files = servers.flatMap((server) =>
    filesOf(server, code)
      .flatMap((path) => [path, targetOf(path, known)])
      .map((path) => [programKey(path), server.name] as const),
  );
  return new Map(files);
}

type Code = Pick<typeof vscode, 'workspace' | 'l10n'>;

function filesOf({ found, source, inputs, syntax }: UsableServer, { workspace, l10n }: Code): string[] {
  const { launch } = found.definition;
  if (!isStdio(launch)) return [];
  const empty = new Map(inputsUsed({ launch, inputs, syntax }).map(({ id }) => [id, '']));
  const values = { ...startPlace(source, workspace), env: process.env, l10n, inputs: empty };
  return filesNamedBy(launch, syntax, values, [values.folder?.path ?? values.home]);
}

/** What a path leads to, also if that does not exist yet. @param known what other paths lead to */
function targetOf(path: string, known: Map<string, string>, links = 0): string {
  const cached = known.get(path);
  if (cached !== undefined || path === dirname(path)) return cached ?? path;
  const real = join(targetOf(dirname(path), known, links), basename(path));
  const next = links < MOST_LINKS ? linkAt(real) : undefined;
  const target = next === undefined ? real : targetOf(resolve(dirname(real), next), known, links + 1);
  known.set(path, target);
  return target;
}

/** Undefined also if it is below a file, or cannot be read. */
const linkAt = (path: string): string | undefined =>
  attempt(() =>
    lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() ? readlinkSync(path) : undefined,
  );

/** Two spellings of a path that may be one file have the same. */
export const programKey = (path: string): string =>
  folded(comparable(asJudged(path, process.platform), process.platform));
