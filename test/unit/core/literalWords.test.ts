import assert from 'node:assert/strict';
import { literalCommand } from '../../../src/core/literalWords.ts';

const words = (line: string) => literalCommand(line, 'linux')?.words;
const lines = (text: string) =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean);

describe('core/literalWords: a command line', () => {
  for (const [line, expected] of [
    ['make', ['make']],
    ["git  commit -m 'two words'", ['git', 'commit', '-m', 'two words']],
    [
      './node_modules/.bin/tsc -p "src dir" --watch=false',
      ['./node_modules/.bin/tsc', '-p', 'src dir', '--watch=false'],
    ],
    ['grep -c \'a b\'"c" x', ['grep', '-c', 'a bc', 'x']],
    ['python3.12 -m pytest -x tests', ['python3.12', '-m', 'pytest', '-x', 'tests']],
    ['node --test test/a.test.js', ['node', '--test', 'test/a.test.js']],
    ['cargo test --release', ['cargo', 'test', '--release']],
  ] as const)
    it(`of literal words: ${line}`, () => assert.deepEqual(words(line), expected));

  for (const [line, script] of [
    ['npm test', 'test'],
    ['pnpm start', 'start'],
    ["yarn run 'build:all'", 'build:all'],
    ['make', undefined],
  ] as const)
    it(`runs a script of package.json: ${line}`, () =>
      assert.equal(literalCommand(line, 'linux')?.script, script));

  const operators = [
    'a; b',
    'a && b',
    'a | b',
    'a & b',
    'a &',
    'a\nb',
    'a > b',
    'a < b',
    'a 2>b',
    '(a)',
    '{ a; }',
    '! a',
    'a() b',
  ];
  const expansions = [
    'a $(b)',
    'a `b`',
    'a "$(b)"',
    'a "`b`"',
    'a $HOME',
    'a "$HOME"',
    "a '$HOME'",
    'a ~',
    'a *',
    'a b?',
    'a [b]',
    'a {b,c}',
  ];
  const others = [
    'a \\b',
    'X=1 a',
    'a+=1',
    'a =b',
    'a # b',
    'a "b',
    "a 'b",
    '',
    ' ',
    "''",
    "'' a",
    'a “b”',
    'a\u00a0b',
    'a\tb',
    'a b\r',
    "a 'b\tc'",
  ];
  const controls = [
    "a 'b\u0000'",
    "a 'b\u202e'",
    'а b',
    "a 'b;c'",
    'a "b|c"',
    '%1',
    '-c a',
    '= a',
    `a ${'b'.repeat(3_000)}`,
  ];
  const programs = lines(`
    sudo a
    env a
    /usr/bin/env a
    'env' a
    "e"nv a
    e'n'v a
    ENV a
    bash a
    bash-5.2 a
    /bin/sh a
    . a
    .. a
    xargs a
    npx a
    time a
    timeout 1 a
    nohup a
    eval a
    test -v a
    let a
    trap a EXIT
    if a
    find . -delete
    sed 1e a
    awk a
    ssh a b
    corepack npm test`);
  const code = lines(`
    node -e 1
    node -e1
    node '-e1'
    node -pe 1
    node --eval=1
    node --import ./a.js b.js
    node -r ./a.js b.js
    node --test -e 1
    node ''
    deno eval 1
    python3 -c 'import os'
    python3 -cpass
    python3.12 -u -c pass
    perl -ne 1
    ruby -e1
    php -r 1
    git -c a=b log
    git rebase --exec a
    java -jar a.jar
    tar cf a --to-command=b`);
  const managers = lines(`
    npm
    npm install
    npm i
    npm t
    npm exec a
    npm run
    npm run-script a
    npm run a b
    npm run a -- b
    npm run -s
    npm run --prefix=../b
    npm test -w a
    npm test --prefix b
    npm --prefix b test
    npm -w a test
    yarn a
    yarn test --cwd b
    pnpm --filter a test
    pnpm -r test
    pnpm run /a/
    bun test
    bun run a
    /usr/bin/npm test
    ./npm test
    NPM test
    'Npm' test
    npm.cmd test
    yarnpkg test
    node node_modules/npm/bin/npm-cli.js test
    node .yarn/releases/yarn-4.9.1.cjs test
    ./yarn-1.22.js test`);
  for (const line of [...operators, ...expansions, ...others, ...controls, ...programs, ...code, ...managers])
    it(`of more than that: ${JSON.stringify(line.slice(0, 60))}`, () => assert.equal(words(line), undefined));

  it('is never of literal words on Windows, and is judged quickly', () => {
    assert.equal(literalCommand('make', 'win32'), undefined);
    assert.equal(words(`a ${"'".repeat(1_001)}`), undefined);
    assert.equal(words(`a yarn${'-1.'.repeat(300)}x\u0001`), undefined);
    assert.ok(words(`a yarn${'-1.'.repeat(300)}x`));
  });
});
