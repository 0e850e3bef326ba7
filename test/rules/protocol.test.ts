import assert from 'node:assert/strict';
import { read, tracked } from './sources.ts';

const page = read('docs/protocol.md').replace(/\s+/g, ' ');

const SCENARIOS = /conformance ((?:`[a-z0-9-]+`,? ?)+)/g;

/** Names of methods, as the source has them: `'tools/list'`. */
const METHOD = /'((?:notifications\/)?[a-z]+(?:\/[a-zA-Z_]+)+|initialize|initialized|ping)'/g;
/** Kinds of references in completions, and types of media. */
const isNoMethod = (name: string): boolean => /^(ref|application)\//.test(name);

const quoted = (text: string, quote: RegExp): string[] =>
  [...text.matchAll(quote)].map(([, name]) => name ?? '');

describe('rules: docs/protocol.md', () => {
  it('names scenarios that the conformance suites have', () => {
    const suites = ['@modelcontextprotocol/conformance', 'conformance-2026']
      .map((suite) => read(`node_modules/${suite}/dist/index.js`))
      .join();
    const named = [...page.matchAll(SCENARIOS)].flatMap(([, names = '']) => quoted(names, /`([^`]+)`/g));
    assert.ok(named.length > 20);
    const missing = named.filter((name) => !new RegExp(`["'\`]${name}["'\`]`).test(suites));
    assert.deepEqual(missing, []);
  });

  it('has every method that the server handles and every notification that it sends', () => {
    const sources = tracked('src/protocol/**', 'src/server/**').map((path) =>
      read(path).replace(/^(import|export|\} from).* from .*$/gm, ''),
    );
    const methods = sources.flatMap((source) => quoted(source, METHOD)).filter((name) => !isNoMethod(name));
    assert.ok(methods.length > 20);
    const rows = new Set(quoted(read('docs/protocol.md'), /^\| `([^`]+)` \|/gm));
    const wrong = [...new Set(methods)].filter((name) => !rows.has(name));
    assert.deepEqual(wrong, []);
  });
});
