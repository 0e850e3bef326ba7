import assert from 'node:assert/strict';

const { enterAll, pickItems } = await import('../../../../src/ui/hosting/start.ts');
const { window } = await import('vscode');

describe('ui/hosting/start', () => {
  it('an option shows the value that is used beside its label, the default first', () => {
    const options = ['a', { label: 'safe', value: 'rm\n\u202e$(x)' }, { value: 'b' }];
    const items = pickItems({ type: 'pickString', id: 'x', default: 'b', options });
    const rows = items.map(({ label, value, description = '' }) => `${label}=${value} ${description}`);
    assert.deepEqual(rows, ['b=b ', 'a=a ', 'safe=rm\n\u202e$(x) rm\\u{a}\\u{202e}$ (x)']);
  });

  it('a value that is not shown while it is entered has no default, which a repository may have written', async () => {
    const boxes: { value?: string }[] = [];
    Object.assign(window, { showInputBox: async (box: object) => void boxes.push(box) });
    for (const password of [true, false])
      await enterAll({ name: 'db' } as never, [{ type: 'promptString', id: 'x', default: 'evil', password }]);
    const values = boxes.map(({ value }) => value);
    assert.deepEqual(values, [undefined, 'evil']);
  });
});
