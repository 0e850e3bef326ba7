/** The examples of docs/tools.md, in the sample project. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { connectAgent } from '../agent.ts';
import { projectRoot } from '../paths.ts';

const page = readFileSync(join(projectRoot, 'docs/tools.md'), 'utf8');
const [folder] = vscode.workspace.workspaceFolders ?? [];

/** A tool's section: its name, a call's arguments, and the answer. */
const EXAMPLE = /^## (\w+)\n[\s\S]*?^```json\n(.*?)\n```\n\n```text\n([\s\S]*?)^```$/gm;

/** Any text fits `…`. */
const pattern = (answer: string) => new RegExp(`^${answer.split('…').map(escaped).join('[\\s\\S]*')}$`);

const escaped = (text: string) => text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');

describe('docs/tools.md', () => {
  it('answers as shown', async () => {
    assert.ok(folder);
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await vscode.window.showTextDocument(vscode.Uri.joinPath(folder.uri, 'src/invoice.ts'));
    await using agent = await connectAgent(folder.uri.fsPath);
    const { tools } = await agent.client.listTools();
    const examples = [...page.matchAll(EXAMPLE)];
    assert.deepEqual(
      examples.map(([, name]) => name),
      tools.map(({ name }) => name).sort(),
    );
    for (const [, name = '', args = '', answer = ''] of examples) {
      const { content } = await agent.client.callTool({ name, arguments: JSON.parse(args) });
      const text = content[0]?.type === 'text' ? content[0].text : '';
      assert.match(text.trimEnd(), pattern(answer.trimEnd()), name);
    }
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  });
});
