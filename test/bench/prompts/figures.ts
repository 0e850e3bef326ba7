// biome-ignore-all lint/suspicious/noTemplateCurlyInString: that is how snippets are written
/** What many snippets cost: the first list, which loads them, and lists after that. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { atMost } from '../aims.ts';
import { inScratch } from '../places.ts';
import { roundTrips } from '../roundTrips.ts';
import { timed } from '../samples.ts';
import { stage } from '../stage.ts';
import { type Row, row } from '../table.ts';
import { openWindow } from '../window.ts';

const SNIPPETS = 5000;
const FILES = 10;

export const promptFigures = (): Promise<Row[]> =>
  inScratch(async (at) => {
    writeSnippets(at('workspace/.vscode'));
    stage('opening the workspace with snippets');
    const window = await openWindow(at);
    const clients = await window.connect('ours');
    const list = () => clients.ours.request('prompts/list', {});
    stage('`prompts/list`');
    const first = [await timed(list)];
    const samples = await roundTrips(clients, { ours: list }, 200);
    await window.close();
    return [
      row('first `prompts/list`, which loads 5,000 snippets', 'ms', { ours: first }),
      row('`prompts/list`, first page of 5,000', 'ms', samples, atMost(20)),
    ];
  });

/** As people write them: a few lines with tab stops, choices, variables and a transform. */
function writeSnippets(directory: string): void {
  mkdirSync(directory, { recursive: true });
  for (let file = 0; file < FILES; file++) {
    const entries = Array.from({ length: SNIPPETS / FILES }, (_, index) => {
      const body = [
        `Review \${1:path} for \${2|bugs,style,speed|} in \${TM_FILENAME/(.*)\\.[a-z]+/\${1:/upcase}/}.`,
        '\tThink of $3 first: ${4:what $1 is for}.',
        '$0',
      ];
      return [`Review ${file} number ${index}`, { body, description: 'Asks for a review of a file.' }];
    });
    writeFileSync(join(directory, `s${file}.code-snippets`), JSON.stringify(Object.fromEntries(entries)));
  }
}
