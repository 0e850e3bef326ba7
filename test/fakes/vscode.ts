/**
 * The part of VS Code that the features use, over real files: a file for each namespace of its API. A missing member
 * throws, so that a test notices a feature that begins to use more. `person` plays the user, and the disk.
 */
import { fileURLToPath } from 'node:url';
import type * as vscode from 'vscode';
import { FakeCommands } from './commands.ts';
import { FakeDebug } from './debug.ts';
import type { FakeDocuments } from './documents.ts';
import { listenersOf } from './emitter.ts';
import { FakeExtensions } from './extensions.ts';
import { FakeGit } from './git.ts';
import { FakeLanguages } from './languages.ts';
import { strict } from './strict.ts';
import { values } from './values.ts';
import { FakeWindow } from './window.ts';
import { FakeWorkspace, type WorkspaceOptions } from './workspace.ts';

/** In its node_modules is ripgrep: of the repository, or as the variable says. */
const appRoot = process.env.TEST_APP_ROOT ?? fileURLToPath(new URL('../..', import.meta.url));

/** The user's shell. */
const SHELL = process.platform === 'win32' ? `${process.env.ComSpec}` : '/bin/sh';

/** A command that waits for a line of input. */
export const READ_LINE = process.platform === 'win32' ? 'set /p x=' : 'read -r x';

export interface FakeOptions extends WorkspaceOptions {
  /** Where ripgrep is looked for. */
  appRoot?: string;
}

export class FakeVscode {
  readonly git = new FakeGit();
  readonly extensions = new FakeExtensions(this.git);
  readonly languages = new FakeLanguages();
  readonly workspace = new FakeWorkspace(this.languages);
  readonly window = new FakeWindow(this.workspace.documents);
  readonly commands = new FakeCommands(this.window.tabs);
  readonly debug = new FakeDebug();

  /** The API as a feature gets it. */
  readonly api = strict({
    ...values,
    env: strict({ appRoot, appName: 'Fake Code', remoteName: undefined, shell: SHELL }),
    l10n: { t: inEnglish },
    lm: strict({ tools: [] }),
    workspace: this.workspace.api(),
    window: this.window.api(),
    tasks: strict(this.window.runs.tasks),
    languages: this.languages.api,
    commands: this.commands.api,
    debug: this.debug.api,
    extensions: this.extensions.api,
  }) as unknown as typeof vscode;

  /** What the user, and the disk, do. */
  readonly person = { ...this.workspace.person(), ...this.window.person, ...this.languages.person };

  // What the tests look at and set most often.
  readonly documents = this.workspace.documents.all;
  readonly notebooks = this.workspace.documents.notebooks;
  readonly fileSystem = this.workspace.fileSystem;
  readonly tabs = this.window.tabs.all;
  readonly runs = this.window.runs;
  readonly otherEditors = this.window.otherEditors;
  readonly diagnostics = this.languages.diagnostics;
  readonly commandsRun = this.commands.run;
  readonly answers = this.commands.answers;

  declare activeTextEditor: FakeWindow['activeTextEditor'];
  declare languageServer: FakeLanguages['server'];
  declare beforeEdit: FakeDocuments['beforeEdit'];
  declare decodes: FakeWorkspace['decodes'];
  declare encodes: FakeWorkspace['encodes'];

  private constructor() {
    forward(this, 'activeTextEditor', this.window);
    forward(this, 'languageServer', this.languages, 'server');
    forward(this, 'beforeEdit', this.workspace.documents);
    forward(this, 'decodes', this.workspace);
    forward(this, 'encodes', this.workspace);
  }

  static create({ appRoot, ...options }: FakeOptions): FakeVscode {
    const fake = new FakeVscode();
    fake.workspace.starts(options);
    if (appRoot) Object.assign(fake.api.env, { appRoot });
    return fake;
  }

  /** Listeners that are still there: none may be once a window's last connection has ended. */
  get listeners(): number {
    return listenersOf([this.workspace, this.window, this.languages, this.git, this.debug]);
  }
}

/** Has a property of another object, which it reads and sets there. */
function forward<T extends object>(fake: object, name: string, to: T, key = name as keyof T): void {
  Object.defineProperty(fake, name, {
    get: () => to[key],
    set: (value) => Object.assign(to, { [key]: value }),
  });
}

/** As `l10n.t` without a translation. */
const inEnglish = (text: string, ...values: unknown[]): string =>
  text.replaceAll(/\{(\d+)\}/g, (_, index) => `${values[index]}`);
