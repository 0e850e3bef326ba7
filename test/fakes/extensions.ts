import type { Uri } from 'vscode';
import { Emitter } from './emitter.ts';
import type { FakeGit } from './git.ts';
import { strict } from './strict.ts';

interface FakeExtension {
  id: string;
  packageJSON: object;
  extensionUri?: Uri;
  isActive?: boolean;
  activate(): Promise<void>;
}

/** `vscode.extensions`: Git's, and those that a test installs. */
export class FakeExtensions {
  /** By their manifests. */
  readonly all: FakeExtension[] = [];
  readonly api;
  readonly #onChange = new Emitter<void>();

  constructor(git: FakeGit) {
    this.api = strict({
      all: this.all,
      getExtension: (id: string) => git.extension(id) ?? this.all.find((one) => one.id === id),
      onDidChange: this.#onChange.event,
    });
  }

  /** An extension that is only what it contributes. */
  brings(contributes: object): void {
    this.adds({ id: 'vscode.brings', packageJSON: { contributes }, activate: async () => {} });
  }

  /** An extension that VS Code starts for a language. */
  installs(languageId: string, isBuiltin = false): void {
    const packageJSON = { main: 'main.js', activationEvents: [`onLanguage:${languageId}`], isBuiltin };
    const id = `${isBuiltin ? 'vscode' : 'vendor'}.${languageId}-language-features`;
    this.adds({ id, packageJSON, isActive: true, activate: async () => {} });
  }

  adds(extension: FakeExtension): void {
    this.all.push(extension);
    this.#onChange.fire();
  }
}
