import type { CallToolResult } from '@modelcontextprotocol/server';
import type * as vscode from 'vscode';
import * as z from 'zod';
import { UserError } from '../../core/errors.ts';
import { isObject } from '../../core/json.ts';
import { settingValue } from '../../core/settings.ts';
import { switchedOff } from '../../core/windowTools.ts';
import { hostedNames, type ListedSchema, listedSchema } from '../../hosting/index.ts';
import type { Context } from '../context.ts';
import { defineTool, STARTS_PROGRAMS, type Tool, type ToolSource } from '../tool.ts';
import { redacted, redactedTools, rethrowRedacted, shownPicture } from './shown.ts';

/** As the server of these tools is called. */
const SERVER = 'vscode';

const SETTING = 'workspaceMcp.hosting.editorTools';

/**
 * Tools of VS Code and Copilot that read, change or run something in the window. There are own ones for that, with their own approvals
 * and access rules: these would run a command or read a closed file as a call of a server.
 */
const WINDOW_TOOLS = new RegExp(
  [
    '^copilot_(?!github|getVSCodeAPI)',
    '^vscode_',
    '^(run_in|send_to|kill)_terminal$',
    '^(get_)?terminal_',
    '^(create_and_)?run_?task$',
    '^get_task_output$',
    '^run_?tests?$',
    '^(run|\\w+_)subagent$',
    '^skill$',
  ].join('|'),
  'i',
);

/** The tools that other extensions offer to language models in VS Code, if the user has switched that on. */
export const editorTools: ToolSource = {
  list: (ctx) => ({ listed: redactedTools(toolsNow(ctx), ctx), hidden: [] }),
  find: (name, ctx) =>
    name.startsWith(`${SERVER}__`) ? toolsNow(ctx).find((tool) => tool.name === name) : undefined,
  watch: ({ vscode: { workspace } }, onList) =>
    workspace.onDidChangeConfiguration((event) => {
      if (event.affectsConfiguration(SETTING)) onList();
    }),
};

/** Tools of MCP servers have that tag and are left out: VS Code asks about each of their calls itself, and drops a part of their results. */
function toolsNow({ vscode }: Context): Tool[] {
  if (!isOn(vscode)) return [];
  const all = vscode.lm.tools.filter(({ name, tags }) => !tags.includes('mcp') && !WINDOW_TOOLS.test(name));
  const names = hostedNames(
    SERVER,
    all.map(({ name }) => name),
  );
  return all.flatMap((info) => {
    const listed = listedSchema(info.inputSchema);
    return listed.problem === undefined ? [toolOf(info, listed, names.get(info.name) ?? '')] : [];
  });
}

const isOn = ({ workspace }: Pick<typeof vscode, 'workspace'>): boolean =>
  settingValue(workspace, 'hosting.editorTools') === true;

/** @throws UserError if it is not offered any more */
function requireOn(own: string, name: string, ctx: Context): void {
  if (!isOn(ctx.vscode)) throw new UserError(switchedOff(name, SETTING));
  if (editorTools.find(name, ctx)?.title !== own)
    throw new UserError(`No extension of VS Code offers ${name} any more. See tools/list.`);
}

function toolOf(
  { name: own, description: said }: vscode.LanguageModelToolInformation,
  { schema, notes, toOwn }: ListedSchema,
  name: string,
): Tool {
  const description = [said, ...notes].join('\n\n');
  return {
    ...defineTool({
      name,
      title: own,
      description,
      group: 'hosted',
      operation: 'server',
      asksFor: 'server',
      annotations: STARTS_PROGRAMS,
      input: z.looseObject({}),
      async run(given, ctx, call) {
        const args = toOwn?.(given) ?? given;
        const server = { key: SERVER, name: 'VS Code', tool: own, description: said };
        await call.approve({ kind: 'server', subject: own, server, arguments: args });
        requireOn(own, name, ctx);
        return redacted(await invoke(own, args, ctx, call.signal).catch(rethrowRedacted(ctx)), ctx);
      },
    }),
    requireOn: (ctx) => requireOn(own, name, ctx),
    listed: { name, title: own, description, inputSchema: schema, annotations: STARTS_PROGRAMS },
  };
}

/** @throws UserError with the reason of the tool */
async function invoke(
  name: string,
  input: object,
  { vscode: { lm, CancellationTokenSource } }: Context,
  signal: AbortSignal,
): Promise<CallToolResult> {
  const cancellation = new CancellationTokenSource();
  const cancel = () => cancellation.cancel();
  signal.addEventListener('abort', cancel, { once: true });
  try {
    const options = { input, toolInvocationToken: undefined };
    const { content } = await lm.invokeTool(name, options, cancellation.token);
    return { content: content.map(contentOf) };
  } catch (error) {
    throw new UserError(`The tool failed: ${(error as Error).message}`);
  } finally {
    signal.removeEventListener('abort', cancel);
    cancellation.dispose();
  }
}

/** A text, data with a MIME type, or something of another kind, as JSON. */
function contentOf(part: unknown): CallToolResult['content'][number] {
  if (!isObject(part)) return { type: 'text', text: `${part}` };
  const { value, data, mimeType } = part;
  if (!(data instanceof Uint8Array) || typeof mimeType !== 'string')
    return { type: 'text', text: typeof value === 'string' ? value : JSON.stringify(value ?? part) };
  if (mimeType.startsWith('image/')) return shownPicture(data);
  return { type: 'text', text: Buffer.from(data).toString('utf8') };
}
