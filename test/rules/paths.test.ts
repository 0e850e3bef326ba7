import assert from 'node:assert/strict';
import { read, tracked } from './sources.ts';

/** Names that stand for anybody in an example. */
const ANYBODY = '(you|user|username|me|someone|somebody|alice|bob|ana|x)';

/** What only makes sense on the machine that it was written on. Spelled in parts, so that this file passes as well. */
const FOREIGN: [what: string, pattern: RegExp][] = [
  ['a path of one machine', new RegExp(`(?<![\\w.~$}-])/(${'wo'}rk|${'ro'}ot)/`)],
  ['a home directory', new RegExp(`(?<![\\w.~$}-])/(home|Users)/(?!${ANYBODY}\\b)\\w`)],
  ['a package registry', new RegExp(`registry\\.(npm|yarn)|npm${'mi'}rror|/arti${'fact'}ory/`)],
  ['a folder beside the repository', new RegExp(`\\.\\./${'sha'}red\\b`)],
];

describe('rules: what stays out of the repository', () => {
  for (const [what, pattern] of FOREIGN)
    it(what, () => {
      const hits = tracked()
        .map((path) => [path, read(path)] as const)
        .filter(([, text]) => !text.includes('\0'))
        .flatMap(([path, text]) =>
          text
            .split('\n')
            .flatMap((line, index) =>
              pattern.test(line) ? `${path}:${index + 1}: ${line.trim().slice(0, 200)}` : [],
            ),
        );
      assert.deepEqual(hits, []);
    });

  it('what is built or downloaded', () =>
    assert.deepEqual(
      tracked().filter((path) => /^(dist|node_modules|\.vscode-test)\/|\.(vsix|log|tgz)$/.test(path)),
      [],
    ));
});
