import assert from 'node:assert/strict';
import { read, tracked } from './sources.ts';

describe('rules: tests', () => {
  it('of test/unit are titled by their file', () => {
    const wrong = tracked('test/unit/**/*.test.ts').flatMap((path) => {
      const name = path.replace(/^test\/unit\/|\.test\.ts$/g, '');
      const found = [...read(path).matchAll(/^( *)describe\((['"`])(.*?)\2,/gm)];
      const outer = found.filter(([, indent], index) => index === 0 || indent === '');
      const titles = outer.map(([, , , title = '']) => title);
      return titles.length > 0 && titles.every((title) => title.startsWith(name)) ? [] : [path];
    });
    assert.deepEqual(wrong, []);
  });

  it('of test/unit have their hooks in a describe: others run for every file of a process', () => {
    const paths = tracked('test/unit/**/*.ts');
    const HOOKS = /^(const \w+ = )?(holdClock|before|beforeEach|after|afterEach)\(/m;
    assert.deepEqual(
      paths.filter((path) => HOOKS.test(read(path))),
      [],
    );
  });

  it('measure no time: test/bench does', () => {
    const paths = tracked('test/**/*.ts').filter((path) => !/^test\/(bench|host|rules)\//.test(path));
    const MEASURES = /\bcpuUsage\b|\bresourceUsage\b/;
    assert.deepEqual(
      paths.filter((path) => MEASURES.test(read(path))),
      [],
    );
  });
});
