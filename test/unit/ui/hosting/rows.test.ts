import assert from 'node:assert/strict';
import type { FoundServer } from '../../../../src/hosting/config/sources.ts';
import type { HostedState } from '../../../../src/hosting/servers/hosted.ts';

const { definitionProblem, rootRows, serverStateText } = await import('../../../../src/ui/hosting/rows.ts');

describe('ui/hosting/rows', () => {
  it('say how many of how many there are, if a list of a server is not complete', () => {
    const lists = { tools: [{ name: 'a' }], prompts: [{ name: 'b' }], resources: [], resourceTemplates: [] };
    const cut = { tools: { kept: 1, sent: 30, hasMore: true, why: '' } };
    const server = {
      name: 'db',
      config: { source: { kind: 'settings' } },
      offer: { tools: [] },
      catalogue: { ...lists, cut },
    };
    const [root] = rootRows({ servers: [server as never], found: [], off: undefined });
    const parts = root?.children?.()[0]?.children?.() ?? [];
    const labels = parts.map(({ look }) => look.label);
    assert.deepEqual(labels, ['Tools (1 / 30+)', 'Prompts (1)', 'Log']);
  });

  it('say why a server does not run', () => {
    const textOf = (state: HostedState, more: object = {}) => serverStateText({ name: 'db', state, ...more });
    assert.equal(textOf('halted'), 'stopped by you');
    assert.match(textOf('stopped'), /^not running, starts with/);
    assert.match(textOf('idle'), /^stopped after 15 minutes without use/);
    const shown = textOf('changed', { changedParts: ['command', 'env'] });
    assert.equal(shown, 'changed (command, env), stopped until you approve it');
    const said = textOf('needsUser', { missingInputs: [{ id: 'key' }, { id: 'b' }] });
    assert.equal(said, 'waits for values that you enter: key, b');
  });

  it('say why a server failed, without its name again, and the fields of an invalid definition', () => {
    const problem = 'The server db did not start. It exited.';
    const given = serverStateText({ name: 'db', state: 'failed', problem });
    assert.equal(given, 'failed: did not start. It exited.');
    const ofArgument = { path: ['args', 0], message: 'must be of type string' };
    const found: FoundServer['found'] = { problems: [ofArgument, { path: [], message: 'missing' }] };
    assert.equal(definitionProblem({ found }), 'args[0]: must be of type string; missing');
  });
});
