import assert from 'node:assert/strict';
import { HeldTools } from '../../../src/hosting/servers/heldTools.ts';

describe('hosting/heldTools', () => {
  it('remembers no more than fits, and says so', async () => {
    const kept = new Map<string, unknown>();
    const store = {
      get: (key: string) => kept.get(key),
      update: async (key: string, value: unknown) => void kept.set(key, value),
    } as never;
    const held = new HeldTools(store, 'key', 250);
    const tool = (name: string) => [{ name, description: 'x'.repeat(50) }];
    await held.see(tool('a'));
    await held.see(tool('b'));
    await assert.rejects(
      held.see(tool('c')),
      /more different tools since it was approved than are remembered/,
    );
    await held.see(tool('a'));
    await held.forget();
    await held.see(tool('c'));
  });
});
