import assert from 'node:assert/strict';
import { literalCommand } from '../../../src/core/literalWords.ts';

const words = (line: string) => literalCommand(line, 'linux')?.words;
const lines = (text: string) =>
  text
    .split(/[\n│]/)
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

  const operators = lines(`
    echo; b │ echo && b │ echo & b │ echo & │ echo > b │ echo < b │ echo 2>b │ (echo) │ { echo; } │ ! echo
    echo() b`);
  const expansions = lines(`
    echo $(b) │ echo \`b\` │ echo "$(b)" │ echo "\`b\`" │ echo $HOME │ echo "$HOME" │ echo '$HOME' │ echo ~
    echo * │ echo b? │ echo [b] │ echo {b,c}`);
  const others = lines(`
    echo \\b │ X=1 echo │ echo+=1 │ echo =b │ echo # b │ echo "b │ echo 'b │ '' │ '' echo │ echo “b” │ еcho b
    echo 'b;c' │ echo "b|c" │ %1 │ -c echo │ = echo`);
  const characters = ['', ' ', 'echo\u00a0b', 'echo\tb', 'echo b\r', "echo 'b\tc'", 'echo\nb', 'echo | b'];
  const controls = ["echo 'b\u0000'", "echo 'b\u202e'", `echo ${'b'.repeat(3_000)}`];
  const managers = lines(`
    npm │ npm install │ npm i │ npm t │ npm exec a │ npm run │ npm run-script a │ npm run a b
    npm run a -- b │ npm run -s │ npm run --prefix=../b │ npm test -w a │ npm test --prefix b
    npm --prefix b test │ npm -w a test │ yarn a │ yarn test --cwd b │ pnpm --filter a test │ pnpm -r test
    pnpm run /a/ │ bun test │ bun run a │ /usr/bin/npm test │ ./npm test │ NPM test │ 'Npm' test
    npm.cmd test │ yarnpkg test │ ./yarn-1.22.js test`);
  for (const line of [...operators, ...expansions, ...others, ...characters, ...controls, ...managers])
    it(`of more than that: ${JSON.stringify(line.slice(0, 60))}`, () => assert.equal(words(line), undefined));

  it('is never of literal words on Windows, and is judged quickly', () => {
    assert.equal(literalCommand('make', 'win32'), undefined);
    assert.equal(words(`echo ${"'".repeat(1_001)}`), undefined);
    for (const part of ['-', '-a', '=', '/.', '../', '-.'])
      assert.equal(words(`make ${part.repeat(1_900 / part.length)}x=`), undefined);
  });
});
