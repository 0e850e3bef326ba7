import { existsSync } from 'node:fs';
import { join } from 'node:path';
import * as vscode from 'vscode';
import type { EditStore } from '../server/edits/editStore.ts';
import type { Controls } from './controls.ts';
import { lazily } from './lazily.ts';
import { ChangedFiles } from './review/changedFiles.ts';

interface Parts extends Pick<Controls, 'agents' | 'journal' | 'log'> {
  storage: vscode.Uri | undefined;
  editorData: readonly string[];
  /** It is in the bundle with the protocol. */
  load(): Promise<{ EditStore: typeof EditStore }>;
}

/** The review of agents' changes. Until there is one, also from before a reload, it is a listener and no more. */
export function reviewLater({ agents, journal, log, storage, editorData, load }: Parts) {
  const changed = new ChangedFiles(journal);
  const lists = () => import('./lazyCommands.ts');
  const made: { dispose(): void }[] = [changed];
  const keep = <T extends { dispose(): void }>(one: T): T => {
    made.push(one);
    return one;
  };
  const first = changed.onDidChange(() => {
    first.dispose();
    review().catch(log.error);
  });
  const review = lazily(async () => keep(new (await lists()).Review(changed, log)));
  const follower = lazily(async () => keep(new (await lists()).AgentFollower(agents, journal)));
  const dispose = () => {
    for (const one of made) one.dispose();
  };
  return { changed, review, follower, dispose, ...storeLater() };

  /** The edits from before a reload are read when an agent connects, or before if there are some. */
  function storeLater() {
    const path = storage?.scheme === 'file' ? join(storage.fsPath, 'edits.json') : undefined;
    const isStored = path !== undefined && existsSync(path);
    let store: EditStore | undefined;
    const edits = lazily(async () => {
      store = new (await load()).EditStore({ code: vscode, path, journal, changed, editorData, log });
      await store.restore();
      return store;
    });
    return {
      edits,
      /** Whether a session can be resumed because it has edits. */
      knowsEditsOf: async (resume: string) =>
        (isStored || journal.last > 0) && (await edits()).authors.knows(resume),
      /** Call it when the window has started. */
      restore: async () => {
        if (!isStored) return;
        await edits();
        await (await review()).lookAtAll();
      },
      closeEdits: async () => store?.close(),
    };
  }
}
