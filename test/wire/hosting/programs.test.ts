/** Files that hosted servers run. */
import assert from 'node:assert/strict';
import { copyFileSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { canLink } from '../../temporary.ts';
import { calling } from '../calling.ts';
import { useMachine } from '../harness.ts';
import { definition, program } from './support.ts';

const BY_LINK: [string, object] = ['write_file', { path: 'link.ts', content: 'evil', overwrite: true }];

describe('wire/hosting/programs', () => {
  const machine = useMachine();

  it('are not made, changed, moved, replaced or deleted unasked, whatever is allowed', async () => {
    const { args, ...rest } = definition('odd');
    const servers = {
      db: { ...rest, args: [`\${workspaceFolder}/server.ts`], envFile: `\${workspaceFolder}/vars.txt` },
    };
    const window = await machine.open({
      trees: {
        ws: { 'server.ts': readFileSync(program('odd')), 'vars.txt': '', 'other.ts': '', 'own/x': '' },
      },
      servers,
    });
    window.consent.always = ['edit', 'delete'];
    window.consent.otherwise = () => ({ deny: '' });
    const agent = await window.greeted();
    const call = (name: string, args: object) => calling(agent, name, args);
    if (canLink()) symlinkSync(window.path('server.ts'), window.path('link.ts'));
    const calls: [string, object][] = [
      ['write_file', { path: 'server.ts', content: 'evil', overwrite: true }],
      ...(canLink() ? [BY_LINK] : []),
      ['write_file', { path: 'vars.txt', content: 'A=1', overwrite: true }],
      ['move_path', { source: 'server.ts', destination: 'x.ts' }],
      ['delete_path', { path: 'server.ts' }],
    ];
    for (const [index, [name, args]] of calls.entries()) {
      const { content, isError } = await call(name, args);
      assert.equal(isError, true, `${name} ${JSON.stringify(args)}`);
      assert.match(content[0].text, /denied/);
      const { diffs } = window.consent.questions[index] ?? {};
      assert.deepEqual(diffs?.[0]?.guard?.guarded, { by: 'server', server: 'db' });
    }
    const { isError } = await call('write_file', { path: 'other.ts', content: 'x', overwrite: true });
    assert.equal(isError, undefined);
    window.fake.person.sets('workspaceMcp.servers', {
      db: { command: 'node', args: [`\${workspaceFolder}/own/later.ts`] },
    });
    await window.hosting?.load();
    const made = await call('write_file', { path: 'own/later.ts', content: 'evil' });
    assert.match(made.content[0].text, /denied/);
    mkdirSync(window.path('t'));
    copyFileSync(window.path('other.ts'), window.path('t/later.ts'));
    const moved = await call('move_path', { source: 't/later.ts', destination: 'own/later.ts' });
    assert.match(moved.content[0].text, /denied/);
  });
});
