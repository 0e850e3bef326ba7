/** The examples of docs/tools.md, in the sample project. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { connectAgent } from '../agent.ts';
import { DEBUG_TOOLS, examples, RUN_TOOLS } from '../examples.ts';
import { projectRoot } from '../paths.ts';

/** Names of all tools, with those that this agent reaches by `call_tool`. */
const TOOLS: string[] = JSON.parse(
  readFileSync(join(projectRoot, 'test/wire/tools.snapshot.json'), 'utf8'),
).map(({ name }: { name: string }) => name);

const [folder] = vscode.workspace.workspaceFolders ?? [];

/** Somebody has to answer them: the cases `consent` and `runs` do. Those of runs are in the case `runs`, which has what they run. */
const ELSEWHERE = ['ask_user', 'propose_edit', 'execute_command', ...RUN_TOOLS, ...DEBUG_TOOLS];

describe('docs/tools.md', () => {
  it('answers as shown', async () => {
    assert.ok(folder);
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await vscode.window.showTextDocument(vscode.Uri.joinPath(folder.uri, 'src/invoice.ts'));
    await using agent = await connectAgent(folder.uri.fsPath);
    assert.deepEqual([...new Set(examples().map(({ name }) => name))], TOOLS);
    for (const { name, args, answer } of examples()) {
      if (ELSEWHERE.includes(name)) continue;
      const { content } = await agent.client.callTool({ name, arguments: args });
      const text = content[0]?.type === 'text' ? content[0].text : '';
      assert.match(text.trimEnd(), answer, name);
    }
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  });
});
