import assert from 'node:assert/strict';
import type { AgentChange } from '../../../../src/ui/review/agentChanges.ts';
import { ChangedFiles } from '../../../../src/ui/review/changedFiles.ts';
import { type Deed, Journal } from '../../../../src/workspace/edit/journal.ts';
import { FakeVscode } from '../../../fakes/vscode.ts';
import { folderWith, cleanUp as removeFolders } from '../../workspace/openWindow.ts';

const { workspace, extensions } = await import('vscode');
const { keeping } = await import('../../../../src/ui/review/handling.ts');
const { present } = await import('../../../../src/ui/review/present.ts');

/** A text of seven lines. */
export const BASE = 'a\nb\nc\nd\ne\nf\ng\n';

const lineAndAuthor = ({ start, edit }: AgentChange) => `${start.line} ${edit.author.id}`;

/** The module `vscode` is as it was. */
export function cleanUp(): void {
  for (const one of [workspace, extensions]) Object.setPrototypeOf(one, Object.prototype);
  removeFolders();
}

/** A window with one file, and what agents did to it. */
export function openFile(text = BASE) {
  const folder = folderWith({ 'a.txt': text });
  const { api, person, git } = FakeVscode.create({ folders: [folder] });
  Object.setPrototypeOf(workspace, api.workspace);
  Object.setPrototypeOf(extensions, api.extensions);
  const uri = api.Uri.file(`${folder}/a.txt`);
  const document = person.loads(uri.fsPath);
  const journal = new Journal();
  const changed = new ChangedFiles(journal);
  const handling = keeping(changed);
  const now = () => document.getText();
  const record = (author: number, ...deeds: Deed[]) =>
    journal.add({ author: { id: author, agent: `Agent ${author}` }, tool: 'edit_file', deeds });
  const file = () => changed.get(uri);
  const look = async () => {
    const one = file();
    return one && present(changed, one);
  };
  return {
    folder,
    git,
    changed,
    journal,
    handling,
    now,
    document,
    look,
    file,
    closes: () => person.closes(document),
    types: (from: string, to: string) => person.types(document, now().replace(from, to)),
    /** An agent replaces texts with one call. */
    edits(author: number, ...texts: [from: string, to: string][]) {
      const before = now();
      const after = texts.reduce((all, [from, to]) => all.replace(from, to), before);
      person.types(document, after);
      return record(author, { type: 'edit', uri, path: 'a.txt', before, after });
    },
    record,
    uri,
    /** The lines that are marked, by their agents. */
    marks: async () => ((await look())?.changes ?? []).map(lineAndAuthor),
    /** The text if all that is left were reverted. */
    reverted: async () => (await look())?.original ?? now(),
    async keeps(line: number) {
      const here = await look();
      const change = here?.changes.find(({ start }) => start.line === line);
      assert.ok(here && change, `line ${line} is not marked`);
      await handling.change(here, change);
    },
  };
}
