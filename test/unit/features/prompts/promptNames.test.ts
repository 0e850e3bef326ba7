import assert from 'node:assert/strict';
import fc from 'fast-check';
import { promptNamer, type Titled } from '../../../../src/features/prompts/promptNames.ts';

const WHOLE = '/mcp__workspace-mcp__'.length - 1;

const promptNames = (titles: readonly string[]) =>
  promptNamer(new Map())(titles.map((title) => ({ title, file: '' })));

describe('features/prompts/promptNames', () => {
  it('have letters of any script, and are cut at words', () => {
    const long = 'Explain all that this function does to its arguments, and why';
    const short = 'explain_all_that_this_function_does_to_its';
    const titles = [
      'Review a file!',
      '  Ärger & Co. ',
      '分析代码',
      '!!!',
      'Fix it',
      'fix-it',
      'toString',
      long,
      long,
    ];
    const names = ['review_a_file', 'ärger_co', '分析代码', 'prompt', 'fix_it', 'fix_it_2', 'tostring'];
    assert.deepEqual(promptNames(titles), [...names, short, `${short}_2`]);
  });

  it('are as if there were no prompts that the agent may not have', () => {
    const arrivals = new Map();
    const [first, second] = ['a', 'b'].map((file) => ({ title: 'Ask', file })) as [Titled, Titled];
    assert.deepEqual(promptNamer(arrivals)([first, second]), ['ask', 'ask_2']);
    assert.deepEqual(promptNamer(arrivals)([second]), ['ask']);
  });

  it('makes unique names that are short enough for agents', () => {
    const title = fc.oneof(
      fc.constantFrom('a', 'A', 'a 2', 'x'.repeat(50), '🙂'.repeat(30), '大'.repeat(80)),
      fc.string(),
    );
    fc.assert(
      fc.property(fc.array(title, { maxLength: 40 }), (titles) => {
        const names = promptNames(titles);
        assert.equal(new Set(names).size, titles.length);
        for (const name of names) {
          assert.match(name, /^[\p{L}\p{N}_]+$/u);
          assert.ok(WHOLE + name.length <= 64, name);
        }
      }),
    );
  });
});
