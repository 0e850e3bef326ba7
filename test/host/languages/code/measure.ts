/** Asks about symbols and errors of a code base, and compares the answers with its text and with the command line. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { pathToFileURL } from 'node:url';
import { linesIn, linesWith } from '../judges.ts';
import { SAYS_NOT_OFFERED, SAYS_PART } from '../table.ts';
import { type Asking, textOf } from '../tested.ts';
import { type CodeBase, sourcesOf } from './bases.ts';
import { errorsOf } from './errors.ts';
import { type Sample, sample } from './symbols.ts';
import { type Tally, tally, type Verdict } from './tally.ts';

/** How many symbols. */
const SYMBOLS = 30;

/** Prints how many answers were right. @throws AssertionError if one was wrong */
export async function measure(one: Asking, base: CodeBase): Promise<void> {
  const files = sourcesOf(base, one.directory);
  const counts = tally();
  for (const symbol of sample(base, one.directory, SYMBOLS)) {
    const uses = await references(one, files, symbol, counts);
    await definition(one, uses, symbol, counts);
    await code(one, symbol, counts);
  }
  await diagnostics(one, base, files, counts);
  counts.print(`${one.server.name}: ${base.name}`);
  assert.deepEqual(counts.wrong(), []);
}

const isSaid = (answer: string) => SAYS_PART.test(answer) || SAYS_NOT_OFFERED.test(answer);
const incomplete = (answer: string): Verdict => (isSaid(answer) ? 'incomplete, said' : 'incomplete, silent');
const placeOf = ({ path, line }: Sample) => `${path}:${line}`;
const lineAt = (one: Asking, place: string): string => {
  const [path = '', line] = place.split(':');
  return textOf(one, path).split('\n')[Number(line) - 1] ?? '';
};

/** Returns the uses that the answer has. */
async function references(one: Asking, files: string[], symbol: Sample, counts: Tally): Promise<string[]> {
  const { name, path, line } = symbol;
  const answer = await one.ask('find_references', { symbol: name, path: one.at(path), line, limit: 1_000 });
  const found = linesIn(answer);
  const expected = linesWith(name, one.directory, files);
  const missing: string[] = [];
  for (const place of expected)
    if (!found.includes(one.at(place)) && (await leadsTo(one, place, name, found))) missing.push(place);
  const strange = found.filter((place) => !expected.some((use) => one.at(use) === place));
  const verdict = !found.includes(one.at(placeOf(symbol)))
    ? 'wrong'
    : missing.length > 0
      ? incomplete(answer)
      : 'right';
  counts.add(
    'find_references',
    verdict,
    `${name} (${placeOf(symbol)}): ${missing.join(', ') || answer.split('\n')[0]}`,
  );
  if (strange.length > 0)
    counts.add('find_references', 'wrong', `${name}: no such name in ${strange.join(', ')}`);
  return expected.filter((place) => place !== placeOf(symbol) && found.includes(one.at(place)));
}

/** Whether the server's own answer for the name at a place is one of the lines found. */
async function leadsTo(one: Asking, place: string, name: string, found: readonly string[]): Promise<boolean> {
  const [path = '', line] = place.split(':');
  const character = lineAt(one, place).search(new RegExp(`(?<!\\w)${name}(?!\\w)`));
  const params = { textDocument: { uri: one.at(path) }, position: { line: Number(line) - 1, character } };
  const answer = await one.ask('lsp_request', { method: 'textDocument/definition', params });
  const root = `${pathToFileURL(one.directory)}/`;
  const targets = [...answer.matchAll(/"(?:targetUri|uri)":"([^"]+)".*?"start":\{"line":(\d+)/g)];
  return targets.some(([, uri = '', start]) => {
    const target = decodeURIComponent(uri.replace(root, ''));
    return found.includes(`${one.at(target)}:${Number(start) + 1}`);
  });
}

async function definition(
  one: Asking,
  uses: readonly string[],
  symbol: Sample,
  counts: Tally,
): Promise<void> {
  const isOnce = (place: string) => lineAt(one, place).split(symbol.name).length === 2;
  const use = uses.filter(isOnce).at(-1);
  if (!use) return;
  const [path = '', line] = use.split(':');
  const args = { symbol: symbol.name, path: one.at(path), line: Number(line) };
  const answer = await one.ask('find_definition', args);
  const found = linesIn(answer);
  const verdict = found.includes(one.at(placeOf(symbol)))
    ? 'right'
    : found.length > 0
      ? 'wrong'
      : incomplete(answer);
  counts.add(
    'find_definition',
    verdict,
    `${symbol.name} (${use}): ${answer.split('\n').slice(0, 3).join(' ')}`,
  );
}

/** The code has the line of the declaration, and ends where the declaration does. */
async function code(one: Asking, symbol: Sample, counts: Tally): Promise<void> {
  const { name, path, line } = symbol;
  const answer = await one.ask('get_symbol', { symbol: name, path: one.at(path), maxCharacters: 200_000 });
  const lines = [...answer.matchAll(/^(\d+): (.*)$/gm)];
  const has = lines.some(([, number]) => Number(number) === line);
  const text = lines.map(([, , text]) => text).join('\n');
  const last = Number(lines.at(-1)?.[1]);
  const verdict = !has
    ? lines.length > 0
      ? 'wrong'
      : incomplete(answer)
    : isWhole(text, last)
      ? 'right'
      : 'wrong';
  counts.add(
    'get_symbol',
    verdict,
    `${name} (${placeOf(symbol)}): ${answer.split('\n').slice(0, 3).join(' ')} … ${last}`,
  );

  function isWhole(text: string, last: number): boolean {
    if (one.server.language === 'shell') return spawnSync('bash', ['-n'], { input: text }).status === 0;
    if (one.server.language !== 'python') return isBalanced(text);
    const after = textOf(one, path)
      .split('\n')
      .slice(last)
      .find((line) => line.trim() !== '');
    return indent(after ?? '') <= indent(lineAt(one, placeOf(symbol)));
  }
}

const indent = (line: string): number => line.search(/\S|$/);

function isBalanced(text: string): boolean {
  const bare = text.replaceAll(/\\.|'[^'\n]*'|"[^"\n]*"|\/\/.*|\/\*[\s\S]*?\*\/|\$\{[^}]*\}/g, '');
  return bare.split('{').length === bare.split('}').length;
}

/** Compares the first error of each file, because compilers stop at different ones; other files must have none. */
async function diagnostics(one: Asking, base: CodeBase, files: string[], counts: Tally): Promise<void> {
  const expected = await errorsOf(base.language, one.directory, files);
  const found = new Map<string, number[]>();
  let said = '';
  for (let cursor: string | undefined = ''; cursor !== undefined; ) {
    const path = one.at('.');
    const answer = await one.ask('get_diagnostics', { path, severity: 'error', ...(cursor && { cursor }) });
    said += answer;
    for (const [file, lines] of errorsIn(answer)) found.set(file, [...(found.get(file) ?? []), ...lines]);
    cursor = /pass cursor "([^"]+)"/.exec(answer)?.[1];
  }
  for (const path of files) {
    const [first] = expected.get(path) ?? [];
    const lines = found.get(one.at(path)) ?? [];
    const isRight = first === undefined ? lines.length === 0 || !base.isJudgeWhole : lines.includes(first);
    const verdict = isRight ? 'right' : first === undefined ? 'wrong' : incomplete(said);
    counts.add(
      'get_diagnostics',
      verdict,
      `${path}: line ${first}, answer ${lines.join(', ') || said.split('\n')[0]}`,
    );
  }
}

function errorsIn(answer: string): Map<string, number[]> {
  const errors = new Map<string, number[]>();
  let path = '';
  for (const line of answer.split('\n')) {
    const [, number] = /^ +(\d+):\d+ error /.exec(line) ?? [];
    if (number) errors.set(path, [...(errors.get(path) ?? []), Number(number)]);
    else if (/^\S+$/.test(line)) path = line;
  }
  return errors;
}
