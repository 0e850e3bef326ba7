import assert from 'node:assert/strict';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { applyPlans } from '../../../../src/agents/applyPlans.ts';
import { planToConfigure } from '../../../../src/agents/plan.ts';
import type { ServerCommand } from '../../../../src/agents/program.ts';
import { FakeVscode } from '../../../fakes/vscode.ts';
import { removeTemporary } from '../../../temporary.ts';
import { makeMachine, targetOf } from '../../agents/machine.ts';

const { EditorAgent } = await import('../../../../src/ui/connectAgent/editorAgent.ts');

describe('ui/connectAgent/editorAgent', () => {
  const { machine, launch } = makeMachine();
  const { home, folder = '' } = machine;
  const vscode = FakeVscode.create({ folders: [folder] });
  const server: { state: 'running' | 'stopped'; id: string } = { state: 'running', id: 'w1' };
  let changes = 0;
  const agentWith = (editor: object) => {
    const { Disposable, RelativePattern, Uri, workspace } = vscode.api;
    const api = { Disposable, RelativePattern, Uri, workspace, ...editor };
    const onChange = () => changes++;
    return new EditorAgent(api, server, () => machine, onChange);
  };
  const agent = agentWith({ lm: { registerMcpServerDefinitionProvider: () => {} } });

  after(() => {
    agent.dispose();
    assert.equal(vscode.listeners, 0);
    removeTemporary(home);
  });

  it('starts the shim for this window, while its server runs, also beside other servers', async () => {
    const file = join(folder, '.vscode', 'mcp.json');
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, '{ "servers": { "other": { "command": "node", "args": ["/a/shim.js"] } } }');
    const { command, args = [] } = (await agent.command()) ?? {};
    rmSync(file);
    assert.equal(command, process.execPath);
    assert.match(args.join(' '), /shim\.js --window w1$/);
    server.state = 'stopped';
    assert.equal(await agent.command(), undefined);
    server.state = 'running';
  });

  it('stands back while VS Code or Claude Code has our entry', async () => {
    for (const target of [
      targetOf('vscode'),
      targetOf('vscode', 'project'),
      targetOf('claude-code', 'project'),
    ]) {
      const [file = ''] = target.place.files(machine).slice(-1);
      const before = changes;
      await applyPlans(await planToConfigure(target, launch, machine));
      vscode.person.createsFile(file);
      assert.ok(changes > before);
      assert.equal(await agent.command(), undefined);
      rmSync(file);
      vscode.person.deletesFile(file);
      assert.ok(await agent.command());
    }
  });

  it('stands back for entries of other agents only if VS Code reads those', async () => {
    await applyPlans(await planToConfigure(targetOf('cursor'), launch, machine));
    assert.ok(await agent.command());
    const before = changes;
    vscode.person.sets('chat.mcp.discovery.enabled', { 'cursor-global': true, windsurf: false });
    assert.equal(changes, before + 1);
    assert.equal(await agent.command(), undefined);
    rmSync(join(home, '.cursor'), { recursive: true });
    assert.ok(await agent.command());
  });

  it('registers it with Cursor once, and takes it back for an entry and at the end', async () => {
    const told: string[] = [];
    const mcp = {
      registerServer: ({ name, server }: { name: string; server: ServerCommand }) =>
        told.push(`+${name} ${server.args.slice(1).join(' ')}`),
      unregisterServer: (name: string) => told.push(`-${name}`),
    };
    const cursor = agentWith({ cursor: { mcp } });
    await cursor.updateCursor();
    await cursor.updateCursor();
    assert.deepEqual(told.splice(0), ['+workspace-mcp --window w1']);
    await applyPlans(await planToConfigure(targetOf('cursor', 'project'), launch, machine));
    await cursor.updateCursor();
    assert.deepEqual(told.splice(0), ['-workspace-mcp']);
    rmSync(join(folder, '.cursor'), { recursive: true });
    await cursor.updateCursor();
    cursor.dispose();
    assert.deepEqual(told, ['+workspace-mcp --window w1', '-workspace-mcp']);
  });
});
