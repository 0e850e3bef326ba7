// biome-ignore-all lint/suspicious/noTemplateCurlyInString: that is how snippets are written
/** What many snippets cost: the first list, which loads them, and lists after that. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeScratch } from '../../host/scratch.ts';
import { atMost } from '../aims.ts';
import { openFolder } from '../code/window.ts';
import { roundTrips } from '../roundTrips.ts';
import { timed } from '../samples.ts';
import { stage } from '../stage.ts';
import type { Row } from '../table.ts';

const SNIPPETS = 5000;
const FILES = 10;

const ms = { unit: 'ms' };

export async function promptFigures(): Promise<Row[]> {
  const scratch = makeScratch();
  const folder = join(scratch.path, 'workspace');
  writeSnippets(join(folder, '.vscode'));
  stage('opening the workspace with snippets');
  const { clients, close } = await openFolder(scratch.path, folder);
  const list = () => clients.ours.request('prompts/list', {});
  stage('`prompts/list`');
  const first = [await timed(list)];
  const samples = await roundTrips(clients, { ours: list }, 200);
  await close();
  scratch.remove();
  return [
    { measure: 'first `prompts/list`, which loads 5,000 snippets', ...ms, samples: { ours: first } },
    { measure: '`prompts/list`, first page of 5,000', ...ms, samples, aim: atMost(20) },
  ];
}

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
