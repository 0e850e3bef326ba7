import { homedir } from 'node:os';
import { isAbsolute, join, posix } from 'node:path';
import type * as vscode from 'vscode';
import { GitDirectories } from '../disk/gitDirectories.ts';
import { LinkedNames, type LinkPlaces } from '../disk/linkedNames.ts';
import { NearDisk, type Resolved, realPathOf, resolveLinks } from '../util/diskPaths.ts';
import { AccessRules, type Guard } from './accessRules.ts';
import { type AccessSettings, readAccessSettings } from './accessSettings.ts';
import type { Policy, PolicyInputs } from './policy.ts';
import { namesFolder } from './protectedPaths.ts';
import { type BadPattern, PatternTime } from './redaction/patterns.ts';
import { Redaction } from './redaction/redaction.ts';

/** The files that hosted servers run. */
export interface ProgramFiles {
  /** Resolves when they are known. */
  readonly loaded: Promise<unknown>;
  /** The name of a server whose definition names a file. @param path absolute */
  serverOf(path: string): string | undefined;
}

/** Its absolute path, and the same with all links resolved. */
type GuardedFile = [named: string, real: string, isFolder: boolean];

/** Most names of all files in a folder: judging them blocks the extension host. */
const MOST_NAMES = 100_000;

/** What the policy of each agent goes by: the folders and settings of the window, and what is on its disks. One per window. */
export class AccessInputs implements PolicyInputs {
  readonly platform = process.platform;
  /** Read again when folders, settings or trust change. */
  rules!: AccessRules;
  /** Uses the patterns of all folders: terminals, problems and copies can show text of another folder. */
  redaction!: Redaction;
  readonly near = new NearDisk();
  readonly git = new GitDirectories(this.near);
  /** As named, and with all links resolved. */
  readonly editorData: readonly string[];
  /** Links in the workspace folders, the home directory and the editor's data: they can give files a guarded name. */
  readonly links = new LinkedNames(this.near, () => this.#linkPlaces, namesFolder);
  readonly #vscode: typeof vscode;
  readonly #subscriptions: vscode.Disposable[];
  readonly #redactionLimits: { time: PatternTime; onSlow(pattern: BadPattern): void };
  #linkPlaces!: LinkPlaces;
  readonly #encodings = new Map<string, string>();
  readonly #programs: ProgramFiles | undefined;

  /**
   * @param editorData directories in which VS Code keeps settings, state and extensions
   * @param onSlow called with a pattern that took too long for a text
   */
  constructor(
    code: typeof vscode,
    editorData: readonly string[] = [],
    onSlow: (pattern: BadPattern) => void = () => {},
    programs?: ProgramFiles,
  ) {
    this.#vscode = code;
    this.#programs = programs;
    this.#redactionLimits = { time: new PatternTime(), onSlow };
    this.editorData = [...new Set([...editorData, ...editorData.map(realPathOf)])];
    this.#read();
    this.#subscriptions = [
      code.workspace.onDidChangeWorkspaceFolders(() => this.#read()),
      code.workspace.onDidGrantWorkspaceTrust(() => this.#read()),
      code.workspace.onDidChangeConfiguration((event) => {
        const sections = ['workspaceMcp.access', 'files.encoding'];
        if (sections.some((section) => event.affectsConfiguration(section))) this.#read();
      }),
    ];
  }

  /** Resolves links. Call `requireReal` afterwards: the Git directories at the target are known then. */
  async resolve(path: string): Promise<Resolved> {
    const resolved = await resolveLinks(this.near, path);
    await this.git.look(resolved.realPath);
    return resolved;
  }

  /** An agent has changed files: what was found on the disk before is not used any more. */
  filesChanged(): void {
    this.git.forget();
    this.links.forget();
  }

  /**
   * Why a file is guarded by any of its names; undefined if it is not.
   *
   * @param named absolute path
   * @param real the same with all links resolved
   */
  async guardOf(policy: Policy, named: string, real: string, isFolder = false): Promise<Guard | undefined> {
    return (await this.guards(policy))(named, real, isFolder);
  }

  /** As `guardOf`, for many files, with the links that are there now. */
  async guards(policy: Policy): Promise<(...file: GuardedFile) => Guard | undefined> {
    await this.#programs?.loaded;
    const links = await this.links.now();
    let left = MOST_NAMES;
    return (named, real, isFolder) => {
      const { names, areAll } = links.namesOf(real);
      left -= names.length;
      for (const name of new Set([named, ...names])) {
        const guarded = policy.guardedAs(name, isFolder);
        if (guarded) return { guarded, ...(name !== named && { name }) };
      }
      return areAll && left >= 0 ? undefined : { guarded: { by: 'links' } };
    };
  }

  serverOf(path: string): string | undefined {
    return this.#programs?.serverOf(path);
  }

  /** VS Code's id of the encoding for files of a folder. */
  encoding(folder: vscode.WorkspaceFolder | undefined): string {
    const key = folder?.uri.toString() ?? '';
    const known = this.#encodings.get(key);
    if (known !== undefined) return known;
    const configuration = this.#vscode.workspace.getConfiguration('files', folder?.uri ?? null);
    const encoding = configuration.get('encoding', 'utf8');
    this.#encodings.set(key, encoding);
    return encoding;
  }

  dispose(): void {
    for (const subscription of this.#subscriptions) subscription.dispose();
  }

  #read(): void {
    const { workspaceFolders = [], isTrusted } = this.#vscode.workspace;
    const folders = workspaceFolders.map(({ uri }) => ({
      path: policyPath(uri),
      realPath: uri.scheme === 'file' ? realPathOf(uri.fsPath) : policyPath(uri),
      settings: this.#settingsOf(uri),
    }));
    const settings = this.#settingsOf();
    const patterns = [settings, ...folders.map((folder) => folder.settings)].flatMap(({ redact }) => redact);
    this.rules = new AccessRules({ folders, settings, isTrusted }, this.platform);
    this.#linkPlaces = {
      deep: folders.map(({ realPath }) => realPath).filter((path) => isAbsolute(path)),
      shallow: [homedir(), join(homedir(), '.config'), ...this.editorData],
    };
    this.redaction = new Redaction(patterns, this.#redactionLimits);
    this.#encodings.clear();
  }

  #settingsOf(folder?: vscode.Uri): AccessSettings {
    const settings = readAccessSettings(this.#vscode.workspace, folder);
    const allowed = settings.allowedPaths.map(withHome).filter((path) => isAbsolute(path));
    return {
      ...settings,
      deniedPaths: settings.deniedPaths.map(withHome),
      guardedPaths: settings.guardedPaths.map(withHome),
      allowedPaths: [...new Set([...allowed, ...allowed.map(realPathOf)])],
    };
  }
}

/** An untitled text without a path. Other untitled texts have the path of the file that they will become. */
export const isUnnamed = ({ scheme, path }: vscode.Uri): boolean =>
  scheme === 'untitled' && !/^(\/|[a-z]:[\\/])/i.test(path);

/** The path that rules apply to: the path on disk, or `scheme://authority/path`. Hosts ignore case (RFC 3986, 3.2.2). */
export const policyPath = (uri: vscode.Uri): string =>
  uri.scheme === 'file' || (uri.scheme === 'untitled' && !isUnnamed(uri))
    ? uri.fsPath
    : `${uri.scheme}://${uri.authority.toLowerCase()}${posix.normalize(uri.path)}`;

export const withHome = (path: string): string =>
  /^~(?=$|[\\/])/.test(path) ? join(homedir(), path.slice(1)) : path;
