import assert from 'node:assert/strict';
import { listCommands } from '../../../../src/features/vscode/listCommands.ts';
import { cleanUp, openWindow, textsOf } from '../window.ts';

function openShop() {
  const window = openWindow();
  const { answers, extensions } = window.fake;
  const install = (id: string, commands: unknown) =>
    extensions.all.push({ id, packageJSON: { contributes: { commands } }, activate: async () => {} });
  install('vendor.shop', [
    { command: 'shop.order', title: 'Order', category: { value: 'Laden', original: 'Shop' } },
    { command: 'shop.run.terminal', title: 'Order in Terminal' },
  ]);
  install('vendor.one', { command: 'one.only', title: 'Only' });
  install('vendor.bad', 'nonsense');
  for (const id of ['editor.foldAll', 'shop.hidden', 'workbench.action.quit']) answers.set(id, () => {});
  answers.set('_getAllCommands', () => [
    { command: 'editor.foldAll', label: 'Fold All', keybinding: 'Ctrl+K Ctrl+0' },
    { command: 'shop.order', label: 'Laden: Order', keybinding: 'Not set' },
  ]);
  return async (args: object = {}) => textsOf(await window.run(listCommands, args)).join('\n');
}

describe('features/vscode/listCommands', () => {
  afterEach(cleanUp);

  it('lists those of extensions without a query', async () =>
    assert.equal(await openShop()(), 'one.only: Only (vendor.one)\nshop.order: Laden: Order (vendor.shop)'));

  it('finds by title, extension and id', async () => {
    const told = openShop();
    assert.equal(await told({ query: 'fold vs code' }), 'editor.foldAll: Fold All (VS Code, Ctrl+K Ctrl+0)');
    assert.match(await told({ query: 'vendor.shop order' }), /^shop\.order/);
    assert.equal(await told({ query: 'hidden' }), 'shop.hidden');
  });

  it('leaves out those that are refused', async () => {
    const said = await openShop()({ query: 'quit' });
    assert.match(said, /^No command that agents may execute has "quit"; there are \d+\.$/);
    assert.match(await openShop()({ query: 'terminal' }), /^No command/);
  });
});
