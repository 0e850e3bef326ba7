import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { FakeDiagnostic, Range, Selection } from '../../fakes/text.ts';
import { plantHostile, SECRET, THERE, USER } from '../../unit/workspace/read/hostile/tree.ts';
import type { Machine, TestWindow } from '../harness.ts';

/** Speaks of the file that the person has in front of them, which is closed. */
const PROMPT = '$TM_SELECTED_TEXT$TM_CURRENT_LINE$TM_FILENAME$'.concat('{1:path}');

/** A window over a folder with secrets, and with links to what lies around it. */
export async function setStage(machine: Machine): Promise<TestWindow> {
  plantHostile(machine.root);
  const snippets = { '.vscode/a.code-snippets': JSON.stringify({ Look: { body: PROMPT } }) };
  const window = await machine.open({ trees: { ws: snippets }, user: USER });
  window.consent.otherwise = () => ({ allow: 'once' }); // the person agrees to everything that they are asked
  window.fake.languageServer = () => [];
  const closedText = window.fake.person.loads(window.path('private/notes.txt'));
  window.fake.activeTextEditor = {
    document: closedText,
    selections: [],
    selection: new Selection(0, 0, 0, 5),
  };
  window.fake.person.reports(window.path('private/notes.txt'), [problem(`it says ${SECRET}`)]);
  window.fake.person.reports(join(machine.root, 'outside', THERE), [problem(`it says ${SECRET}`)]);
  return window;
}

const problem = (message: string) => new FakeDiagnostic(new Range(0, 0, 0, 1), message) as never;

/** All files of the machine with their contents, but for what the extension keeps; links by what they name. */
export const contents = ({ root }: { root: string }): string =>
  ['ws', 'ws2', 'outside'].flatMap((folder) => filesIn(join(root, folder))).join('\n');

const filesIn = (folder: string): string[] =>
  readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return filesIn(path);
    return `${path} ${entry.isFile() ? readFileSync(path, 'utf8') : readlinkSync(path)}`;
  });
