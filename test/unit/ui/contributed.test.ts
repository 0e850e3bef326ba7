import assert from 'node:assert/strict';
import { contributedCommands } from '../../../src/ui/contributed.ts';

describe('ui/contributed', () => {
  it('gives the titles in English, and in a display language that translates them', () =>
    assert.deepEqual(
      contributedCommands({
        contributes: {
          commands: [
            { command: 'a', title: 'Show Log' },
            { command: 'b', title: { value: '显示日志', original: 'Show Log' } },
          ],
        },
      }),
      [
        { command: 'a', title: 'Show Log' },
        { command: 'b', title: '显示日志' },
      ],
    ));
});
