import assert from 'node:assert/strict';
import { HeldTools } from '../../../src/hosting/servers/heldTools.ts';

describe('hosting/heldTools', () => {
  it('remembers no more than 8 MB of tools, and says so', async () => {
    const kept = new Map<string, unknown>();
    const store = {
      get: (key: string) => kept.get(key),
      update: async (key: string, value: unknown) => void kept.set(key, value),
    } as never;
    const held = new HeldTools(store, 'key');
    const others = (start: number) =>
      Array.from({ length: 20 }, (_, index) => ({
        name: `t${start + index}`,
        description: 'x'.repeat(200_000),
      }));
    await held.see(others(0));
    await held.see(others(20));
    await assert.rejects(
      held.see(others(40)),
      /more different tools since it was approved than are remembered/,
    );
    await held.see(others(0));
    await held.forget();
    await held.see(others(40));
  });
});
