import assert from 'node:assert/strict';
import { toolFilter } from '../../../../src/hosting/config/toolFilter.ts';

describe('hosting/config/toolFilter', () => {
  it('gives agents what is allowed and not denied', () => {
    const isOn = toolFilter({ allow: ['*'], deny: ['drop_*', '*/write'] });
    const names = ['query', 'drop_table', 'a/read', 'a/write'];
    assert.deepEqual(names.filter(isOn), ['query', 'a/read']);
    assert.deepEqual(names.filter(toolFilter({ allow: ['query'], deny: [] })), ['query']);
  });
});
