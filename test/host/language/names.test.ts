/** Symbols with several declarations, and names that are others in other files: by TypeScript's and the CSS server. */
import assert from 'node:assert/strict';
import { rmSync, writeFileSync } from 'node:fs';
import { agentInShop, uriOf } from './workspace.ts';

const FILES: Record<string, string> = {
  'wombat.ts': `export function dig(depth: number): number;
/** In words. */
export function dig(depth: string): string;
export function dig(depth: number | string): number | string {
  return twice(depth);
}

function twice(depth: number | string): number | string {
  return depth;
}

export class Burrow {
  #warmth = 0;

  /** Degrees. */
  get warmth(): number {
    return this.#warmth;
  }

  set warmth(value: number) {
    this.#warmth = value;
  }
}
`,
  'wombatUse.ts': `import { Burrow, dig } from './wombat.ts';

export const depth = dig(1);
export const home = new Burrow();
home.warmth = 1;
`,
  'wombatPart.ts': `const money = { cents: 1 };
const { cents } = money;
export { cents };
export const all = cents;
`,
  'wombatDen.ts': "import { Burrow } from './wombat.ts';\n\nexport class Den extends Burrow {}\n",
  'wombatDen.css': '.den { color: red; }\n',
  'wombat.css': ':root {\n  --wombat: #c00;\n}\nb { color: var(--wombat); }\n',
  'wombatUse.css':
    "@import 'wombat.css';\na { color: var(--wombat); }\n.den { color: var(--wombat-dark); }\n",
};
const SRC = 'tools/src';
const WOMBAT = `${SRC}/wombat.ts`;

describe('symbols with several declarations', () => {
  const agent = agentInShop();
  const preview = (tool: string, args: object) => agent.call(tool, { ...args, dryRun: true });

  before(async () => {
    for (const [name, text] of Object.entries(FILES)) writeFileSync(uriOf(`${SRC}/${name}`).fsPath, text);
    await agent.call('get_diagnostics', { path: `${SRC}/wombatUse.ts` });
  });

  after(() => {
    for (const name of Object.keys(FILES)) rmSync(uriOf(`${SRC}/${name}`).fsPath);
  });

  it('overloads are one: references, callers of all signatures, what the body calls, all of the code', async () => {
    const symbol = 'dig';
    for (const args of [{ symbol }, { symbol, path: WOMBAT }]) {
      assert.match(await agent.call('find_references', args), /^5 lines use function dig .*:\n/);
      assert.match(await agent.call('find_calls', args), /wombatUse\.ts\n3: /);
      assert.match(await agent.call('find_calls', { ...args, direction: 'out' }), /\n8: function twice/);
      const code = await agent.call('get_symbol', args);
      for (const line of [
        '1: export function dig',
        '3: export function dig',
        '4: export function dig',
        '5:   return',
      ])
        assert.ok(code.includes(`\n${line}`), code);
    }
    const diff = await preview('rename_symbol', { symbol, newName: 'delve' });
    assert.equal(diff.match(/^\+.*\bdelve\b/gm)?.length, 5);
    const refused = preview('edit_symbol', { action: 'replace', symbol, body: 'x' });
    await assert.rejects(refused, /3 declarations\. Pass one of dig\[1\], dig/);
    const failing = preview('edit_symbol', { action: 'delete', symbol });
    await assert.rejects(failing, /Nothing was deleted: 2 lines use function dig/);
  });

  it('accessors are one, and each can be named', async () => {
    for (const args of [{ symbol: 'Burrow/warmth' }, { symbol: 'warmth', path: WOMBAT }]) {
      assert.match(await agent.call('find_references', args), /^3 lines use \w+ Burrow\/warmth .*:\n/);
      const code = await agent.call('get_symbol', args);
      assert.ok(code.includes('\n16:   get warmth') && code.includes('\n20:   set warmth'), code);
      const diff = await preview('rename_symbol', { ...args, newName: 'heat' });
      assert.equal(diff.match(/^\+.*\bheat\b/gm)?.length, 3);
    }
    for (const symbol of ['Burrow/(get) warmth', '(get) warmth'])
      assert.doesNotMatch(await agent.call('get_symbol', { symbol }), /set warmth/);
    const wrong = preview('edit_symbol', { action: 'delete', symbol: 'warmth', path: WOMBAT });
    await assert.rejects(wrong, /1 line uses/);
  });

  it('a use in another file means the symbol itself, not an alias; an alias is told', async () => {
    const use = { path: `${SRC}/wombatUse.ts`, line: 3, symbol: 'dig' };
    const diff = await preview('rename_symbol', { ...use, newName: 'delve' });
    assert.equal(diff.match(/^\+.*\bdelve\b/gm)?.length, 5);
    assert.doesNotMatch(diff, / as /);
    const property = { path: `${SRC}/wombatPart.ts`, line: 2, symbol: 'cents', newName: 'amount' };
    const said = await preview('rename_symbol', property);
    assert.match(said, /^\[Note: Not everything has the new name: ".*(?: as |: ).*" keeps/);
  });

  it('a name that its server knows in one file only is told where else it stands', async () => {
    const path = `${SRC}/wombat.css`;
    const place = { path, line: 2, column: 3 };
    const elsewhere =
      /knows this file only: 1 line of other files has the name too \(tools\/src\/wombatUse\.css:2\)\.\]/;
    assert.match(await preview('rename_symbol', { ...place, newName: '--den' }), elsewhere);
    assert.match(await agent.call('find_references', place), elsewhere);
    await assert.rejects(
      preview('edit_symbol', { action: 'delete', path: `${SRC}/wombatDen.css`, symbol: '.den' }),
      /Nothing was deleted.*wombatUse\.css:3/s,
    );
  });

  it('subtypes are classes and interfaces, not variables of the type', async () => {
    const found = await agent.call('find_types', { symbol: 'Burrow' });
    assert.match(found, /class Den extends Burrow/);
    assert.doesNotMatch(found, /const home/);
  });
});
