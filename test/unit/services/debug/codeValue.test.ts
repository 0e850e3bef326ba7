import assert from 'node:assert/strict';
import { isCode, withoutSource, withoutStack } from '../../../../src/services/debug/codeValue.ts';

describe('services/debug/codeValue', () => {
  for (const [value, type, shown] of [
    ["ƒ f(x, d = 'S') { return 'S'; }", 'Function', 'ƒ f(…)'],
    ['ƒ ()', 'Function', 'ƒ (…)'],
    ["ƒ ['S'](x) { }", 'Function', 'ƒ (…)'],
    ["function f(x) { return 'S'; }", 'function', 'ƒ f(…)'],
    ["async ƒ f() { 'S'; }", 'AsyncFunction', 'async ƒ f(…)'],
    ["ƒ* f() { yield 'S'; }", 'GeneratorFunction', 'ƒ* f(…)'],
    ["async ƒ * f() { yield 'S'; }", 'AsyncGeneratorFunction', 'async ƒ* f(…)'],
    ["class K extends B { static s = 'S'; }", 'Function', 'class K'],
    ["class extends B { s = 'S' }", 'Function', 'class'],
    ["class{s='S'}", 'Function', 'class'],
    ["(a, b = f(')'), c = 'S') => 'S'", 'Function', 'ƒ (…)'],
    ["x => 'S'", undefined, 'ƒ (…)'],
    ["async (x) => {\n  'S' }", undefined, 'ƒ (…)'],
    ["Proxy(Function) {length: 1, name: 'S'}", 'Function', 'ƒ (…)'],
    ["{\"k\" => (a, b = 'S') => 'S' + a}", 'Object', '{… => …}'],
    ['{"k" => ƒ f() { \'S\' }}', 'Object', '{… => …}'],
    ["{class K { s = 'S' } => 1}", 'Object', '{… => …}'],
  ] as const)
    it(`shows ${value} as ${shown}`, () => {
      assert.equal(withoutSource(value, type), shown);
      assert.ok(shown.startsWith('{') || isCode(value, type));
    });

  for (const [value, type] of [
    ["'class of 99'", 'string'],
    ['function', 'str'],
    ['(2) [ƒ, ƒ]', 'Array'],
    ['{f: ƒ, g: 1}', 'Object'],
    ['{"k" => 1}', 'Object'],
    ['<function f at 0x7f>', 'function'],
    ['10', undefined],
    ['(1, 2)', 'tuple'],
  ] as const)
    it(`leaves ${value}`, () => assert.equal(withoutSource(value, type), value));

  it('knows code by the words of debuggers for Python', () => {
    const code = ["<class 'a.K'>", '<function f at 0x7f>', '<code object f at 0x7f, file "a.py", line 1>'];
    const judged = code.map((value) => isCode(value));
    assert.deepEqual(judged, [true, true, true]);
    assert.deepEqual([isCode("<module 'm'>", 'module'), isCode('<Point x=1>', 'Point')], [true, false]);
  });

  it('takes the stack from an error, whether its line ends are escaped or not', () => {
    const stack = '\n    at f (/closed/f.js:10:182)\n    at node:internal/main:33:47';
    assert.equal(withoutStack(`TypeError: boom${stack} {code: 1}`), 'TypeError: boom {code: 1}');
    assert.equal(withoutStack(`'E: boom${stack.replaceAll('\n', '\\n')}'`), "'E: boom'");
    assert.equal(withoutStack('look at a:1'), 'look at a:1');
  });
});
