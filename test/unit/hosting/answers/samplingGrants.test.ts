import assert from 'node:assert/strict';
import { nameInKey, SamplingGrants } from '../../../../src/hosting/answers/sampling/samplingGrants.ts';
import { grantKey } from '../../../../src/hosting/config/grantKey.ts';

describe('hosting/answers/samplingGrants: the servers that may ask a language model', () => {
  it('are known to the user by name', () => {
    assert.equal(nameInKey(grantKey('["file:///a","db \\"x\\"","user"]', 'id')), 'db "x"');
  });

  it('keep their grants for the session or always, until they are revoked', async () => {
    let kept: readonly string[] = [];
    const store = {
      get: () => kept,
      set: async (keys: readonly string[]) => {
        kept = keys;
      },
    };
    const grants = new SamplingGrants(store);
    grants.allowForSession('a');
    await grants.allowAlways('b');
    assert.deepEqual(
      [grants.has('a'), grants.has('b'), grants.has('c'), grants.keys],
      [true, true, false, ['a', 'b']],
    );
    const later = new SamplingGrants(store);
    assert.deepEqual([later.has('a'), later.has('b')], [false, true]);
    await grants.revoke('a');
    await grants.revoke('b');
    assert.deepEqual([grants.keys, kept], [[], []]);
  });
});
