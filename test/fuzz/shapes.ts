import fc from 'fast-check';
import { line, modern } from './messages.ts';
import { holds } from './runs.ts';
import { useStage, VERSIONS } from './stage.ts';

describe('fuzz: JSON-RPC', () => {
  const stage = useStage();

  for (const version of VERSIONS) {
    it(`${version}: each line gets what it is owed, once`, async () => {
      const lines = fc.array(version >= '2026' ? modern(line) : line, {
        minLength: 1,
        maxLength: 60,
        size: 'max',
      });
      await holds(
        20,
        fc.asyncProperty(lines, (given) => stage().with(version, (peer) => peer.send(given))),
      );
    });
  }
});
