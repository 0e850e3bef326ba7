import type * as vscode from 'vscode';
import type { Log } from '../util/log.ts';
import { Turns } from '../util/turns.ts';
import { Changes } from './changes.ts';
import { Listing } from './listing.ts';
import { World } from './world.ts';

/** What all agents of a window share: the list of its files, and who is told when it changes. */
export class WindowFiles {
  readonly vscode: typeof vscode;
  readonly world: World;
  readonly listing: Listing;
  readonly changes: Changes;
  /** Edits of the same file, by whichever agent. */
  readonly edits = new Turns();

  /** @param editorData directories in which VS Code keeps settings, state and extensions */
  constructor(code: typeof vscode, log: Log, editorData?: readonly string[]) {
    this.vscode = code;
    this.world = new World(code, editorData);
    this.listing = new Listing(code);
    this.changes = new Changes(code, this.listing, log);
  }

  dispose(): void {
    this.changes.dispose();
    this.world.dispose();
  }
}
