import assert from 'node:assert/strict';
import { namesDeclared } from '../../../../src/core/declarations/declared.ts';

describe('core/declarations/declared', () => {
  for (const [text, ...names] of [
    ['export const key = 1, x = 2;\nexport let other;', 'key', 'other'],
    ['export async function* run<T>(a: () => void) {', 'run'],
    ['export default class A extends B {\nexport type C = D;\nexport const enum E {', 'A', 'C', 'E'],
    ['  hasListeners(): boolean {\n  static async of(a = f(1)) {', 'hasListeners', 'of'],
    ['  add(name: string): void;\n  readonly size: number;\n  private at = 1;', 'add', 'size', 'at'],
    ['def run(a):\n  async def stop(self):\nLIMIT = 1\nNAME: str = ""', 'run', 'stop', 'LIMIT', 'NAME'],
    ['func (s *Square) Area() float64 {\nvar Limit = 1\ntype Shape interface {', 'Area', 'Limit', 'Shape'],
    ['pub fn run() {\npub(crate) const LIMIT: u8 = 1;\npub struct A {', 'run', 'LIMIT', 'A'],
    ['static int run(char *a, int (*b)(void)) {\n#define LIMIT 1', 'run', 'LIMIT'],
    ['  public static List<String> all(int a) {', 'all'],
    // What is local, is called or has the form of a declaration.
    ['  const local = 1;\n  if (a) {\n  } else if (b) {\n  run(a);\n  await stop(async () => {\n  at = 1;'],
    ["describe('a', () => {\n  it('b', () => {\n  return f(a);\nfor (const a of b) {\na === b;"],
  ] as const)
    it(`takes ${names.join(', ') || 'nothing'} from ${JSON.stringify(text)}`, () =>
      assert.deepEqual([...namesDeclared(text)].sort(), [...names].sort()));
});
