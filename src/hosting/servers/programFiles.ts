import { basename, dirname, join } from 'node:path';
import type * as vscode from 'vscode';
import { asJudged, comparable } from '../../core/paths.ts';
import { realPathOf } from '../../util/realPath.ts';
import { isStdio } from '../config/definition.ts';
import { namedFiles } from '../config/resolve/namedFiles.ts';
import { inputsUsed } from '../config/resolve/resolveLaunch.ts';
import { placeOf, type UsableServer } from './launcher.ts';

/**
 * The files that the definitions of hosted servers name: agents may not change them unasked, because they decide what runs. As
 * `ProgramFiles` in `access/policyInputs.ts`.
 */
export class HostedPrograms {
  readonly #vscode: Pick<typeof vscode, 'workspace' | 'l10n'>;
  readonly #loaded: () => Promise<unknown>;
  #servers: ReadonlyMap<string, string> = new Map();

  /** @param loaded resolves when the definitions have been read */
  constructor(code: Pick<typeof vscode, 'workspace' | 'l10n'>, loaded: () => Promise<unknown>) {
    this.#vscode = code;
    this.#loaded = loaded;
  }

  get loaded(): Promise<unknown> {
    return this.#loaded();
  }

  serverOf(path: string): string | undefined {
    return this.#servers.get(keyOf(path));
  }

  /** Call it when other servers are hosted. */
  update(servers: readonly UsableServer[]): void {
    this.#servers = new Map(
      servers.flatMap((server) =>
        this.#filesOf(server).flatMap((path) => spellings(path).map((one) => [keyOf(one), server.name])),
      ),
    );
  }

  #filesOf(server: UsableServer): string[] {
    const { launch } = server.found.definition;
    if (!isStdio(launch)) return [];
    const { workspace, l10n } = this.#vscode;
    const { source, inputs, syntax } = server;
    const values = {
      ...placeOf(source, workspace),
      env: process.env,
      inputs: new Map(inputsUsed({ launch, inputs, syntax }).map(({ id }) => [id, ''])),
    };
    return namedFiles(launch, syntax, values, l10n, [values.folder?.path ?? values.home]);
  }
}

/** Also with links resolved, of the file or of its folder if the file does not exist yet. */
const spellings = (path: string): string[] => [
  path,
  realPathOf(path),
  join(realPathOf(dirname(path)), basename(path)),
];

/** In lower case: some disks ignore case, and a file more is only asked about. */
const keyOf = (path: string): string =>
  comparable(asJudged(path, process.platform), process.platform).toLowerCase();
