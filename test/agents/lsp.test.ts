/** What the real programs of agents that speak LSP tell their scripted model, with our server as their language server. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { type Position, Range } from '../fakes/text.ts';
import { onPosix } from '../temporary.ts';
import { useMachine } from '../wire/harness.ts';
import type { TestWindow } from '../wire/testWindow.ts';
import { type Serving, serving } from './lspServers.ts';
import { owns } from './ownTools.ts';
import { checksTypeScript, readsAgain } from './playedCode.ts';
import { installed, output, prepareHome } from './programs.ts';
import { type Call, type Step, startModel, type Turn } from './scriptedModel.ts';

const TREE = {
  'a.ts': 'one\n',
  'user.ts': "import './a';\n",
  'callee.ts': 'function callee() { none() }\n',
  'callers.ts': 'function first() { callee() }\nfunction second() { none() }\n',
};
/** What the user has typed above the lines of the disk, or between them. */
const UNSAVED = {
  'callee.ts': `\n${TREE['callee.ts']}`,
  'callers.ts': `\n${TREE['callers.ts'].replace('\n', '\nfunction typed() { callee() }\n')}`,
};
/** Most calls that the model makes while it waits for problems, of a second each. */
const MOST_WAITS = 20;

describe('agents: lsp of real programs', () => {
  const machines = useMachine();
  const open = () => machines.open({ trees: { ws: TREE } });

  onPosix('claude: the problem is in a request after its own edit', async () => {
    const window = await open();
    const program = programOf('claude');
    const { read, edit, shell } = program;
    const path = window.path('a.ts');
    const isTold = ({ text }: Turn) => /<new-diagnostics>.*\\nuser\.ts:/.test(text);
    const wait = (turn: Turn): Call => shell(isTold(turn) ? 'true' : 'sleep 1');
    const edits = [read?.(path) ?? assert.fail(), edit(path, 'one', 'bad')];
    const turns = await run(program, [...edits, ...Array(MOST_WAITS).fill(wait)], window, machines.root);
    const told = turns.findIndex(({ text }) => text.includes('new-diagnostics'));
    assert.ok(told >= edits.length, `it is told in request ${told}`);
    const [all = ''] = /<new-diagnostics>.*<\/new-diagnostics>/.exec(turns.at(-1)?.text ?? '') ?? [];
    assert.match(all, /\\na\.ts:\\n {2}✘ \[Line 1:1\] It is bad\./);
    assert.match(all, /\\nuser\.ts:\\n {2}✘ \[Line 1:1\] It is bad\./);
  }).timeout(300_000);

  onPosix('opencode: the problem is in the result of its own edit', async () => {
    const window = await open();
    const program = programOf('opencode');
    const { read, edit } = program;
    const path = window.path('a.ts');
    const edits = [edit(path, 'one', 'bad'), edit(path, 'bad', 'two')];
    const turns = await run(program, [read?.(path) ?? assert.fail(), ...edits], window, machines.root);
    const [, bad = '', good = ''] = turns.at(-1)?.results ?? [];
    assert.match(bad, /LSP errors detected in this file.*\\nERROR \[1:1\] It is bad\./);
    assert.match(good, /Edit applied/);
    assert.doesNotMatch(good, /LSP errors/);
  }).timeout(300_000);

  for (const { title, callers } of serving.filter((one) => one.callers))
    onPosix(`${title}: its tool finds callers in files with unsaved text`, async () => {
      const window = await open();
      const documents = Object.entries(UNSAVED).map(([name, text]) => {
        const document = window.fake.person.loads(window.path(name));
        window.fake.person.types(document, text);
        return document;
      });
      knowsCallers(window);
      const place = { path: window.path('callee.ts'), line: 1, character: 10 };
      const script = callers?.(place) ?? [];
      const turns = await run(programOf(title), script, window, machines.root);
      const found = turns.at(-1)?.results.at(-1) ?? '';
      assert.match(found, /first \(function\) - (?:\S*callers\.ts:|Line )1\b/i, 'as a line of the disk');
      assert.match(found, /typed \(function\) - (?:\S*callers\.ts:|Line )2\b/i, 'where the line would be');
      assert.doesNotMatch(found, /second/);
      assert.deepEqual(
        documents.map((one) => [one.isDirty, one.getText()]),
        Object.values(UNSAVED).map((text) => [true, text]),
      );
    }).timeout(300_000);
});

function programOf(title: string): (typeof owns)[number] & Serving {
  const [own, served] = [owns, serving].map((rows) => rows.find((row) => row.title === title));
  return { ...own, ...served } as (typeof owns)[number] & Serving;
}

/** Has the program work in the window's folder. Returns the requests to its model. */
async function run(
  { program, drive, allow, configure }: ReturnType<typeof programOf>,
  script: readonly Step[],
  window: TestWindow,
  root: string,
): Promise<Turn[]> {
  await installed(program);
  const imported = () => readFileSync(window.path('a.ts'), 'utf8');
  checksTypeScript(window, (text, path) => (path.endsWith('user.ts') ? imported() : text).includes('bad'));
  const { surroundings } = prepareHome(root, window.path());
  const shim = window.command();
  const more = configure([...shim.args, 'lsp'], surroundings);
  const turns: Turn[] = [];
  const model = await startModel(script, (turn) => turns.push(turn));
  const ends = readsAgain(window);
  try {
    const { args, env } = drive(model.url, surroundings);
    const all = [...args, ...allow, ...more];
    await output(program, all, { ...surroundings, env: { ...env, ...shim.env } });
  } finally {
    ends();
    model.close();
  }
  return turns;
}

/** A language in which each line is a function that calls another one. */
function knowsCallers({ fake }: TestWindow): void {
  const functions = () =>
    fake.documents.flatMap((document) =>
      document
        .getText()
        .split('\n')
        .flatMap((text, line) => {
          const [, name = '', called = ''] = /function (\w+)\(\) \{ (\w+)/.exec(text) ?? [];
          const selectionRange = new Range(line, 9, line, 9 + name.length);
          const range = new Range(line, 0, line, text.length);
          return name ? [{ name, kind: 11, uri: document.uri, range, selectionRange, called }] : [];
        }),
    );
  fake.answers.set('vscode.prepareCallHierarchy', (file, at) => {
    const { line, character } = at as Position;
    return functions().filter(
      ({ uri, selectionRange: { start } }) =>
        `${uri}` === `${file}` && start.line === line && character === 9,
    );
  });
  fake.answers.set('vscode.provideIncomingCalls', (item) =>
    functions()
      .filter(({ called }) => called === (item as { name: string }).name)
      .map((from) => ({ from, fromRanges: [from.range] })),
  );
}
