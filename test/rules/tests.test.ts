import assert from 'node:assert/strict';
import { isTracked, read, tracked } from './sources.ts';

describe('rules: tests', () => {
  /** `x.test.ts` and `x.theme.test.ts` test `x.ts`; what several tools of a folder share is tested with its `index.ts`. */
  it('of test/unit are named and titled by the source that they test', () => {
    const wrong = tracked('test/unit/**/*.test.ts').flatMap((path) => {
      const source = path.replace(/^test\/unit\/|(\.\w+)?\.test\.ts$/g, '');
      const found = [...read(path).matchAll(/^( *)describe\((['"`])(.*?)\2,/gm)];
      const outer = found.filter(([, indent], index) => index === 0 || indent === '');
      const isTitled = ([, , , title = '']: readonly string[]) =>
        title.startsWith(source) && !/^\w/.test(title.slice(source.length));
      return isTracked(`src/${source}.ts`) && outer.length > 0 && outer.every(isTitled) ? [] : [path];
    });
    assert.deepEqual(wrong, []);
  });

  it('of test/unit have their hooks in a describe: others run for every file of a process', () => {
    const paths = tracked('test/unit/**/*.ts');
    const HOOKS = /^(const \w+ = )?(holdClock|use[A-Z]\w+|before|beforeEach|after|afterEach)\(/m;
    const wrong = paths.filter((path) => HOOKS.test(read(path)));
    assert.deepEqual(wrong, []);
  });

  it('measure no time: test/bench does', () => {
    const paths = tracked('test/**/*.ts').filter((path) => !/^test\/(bench|host|rules)\//.test(path));
    const MEASURES = /\bcpuUsage\b|\bresourceUsage\b/;
    const wrong = paths.filter((path) => MEASURES.test(read(path)));
    assert.deepEqual(wrong, []);
  });
});
