/** What an agent sees: asked for by the SDK's own client, through the shim, as any agent does. */
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client, type Prompt, type Resource, type Tool } from '@modelcontextprotocol/client';
import { getDefaultEnvironment, StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { z } from 'zod';
import { projectRoot } from '../../test/host/paths.ts';
import { type FileProblems, readProblems } from './problems.ts';

export interface AgentView {
  server: string;
  protocolVersion: string;
  roots: { uri: string; name?: string | undefined }[];
  resources: Resource[];
  tools: Tool[];
  prompts: Prompt[];
  file: { uri: string; text: string } | undefined;
  problems: FileProblems[];
}

/** @param env of the shim, besides what agents pass on by themselves */
export async function lookAround(folder: string, env: Record<string, string>): Promise<AgentView> {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [join(projectRoot, 'dist/shim.js')],
    cwd: folder,
    env: { ...getDefaultEnvironment(), ...env },
    stderr: 'pipe',
  });
  let complaints = '';
  transport.stderr?.on('data', (text) => {
    complaints += text;
  });
  const client = new Client({ name: 'workspace-mcp-start', version: '1.0.0' }, { listMaxPages: 0 });
  try {
    await client.connect(transport);
    return await collect(client);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(`The agent did not get through: ${reason}\n${complaints}`.trim());
  } finally {
    await client.close();
  }
}

async function collect(client: Client): Promise<AgentView> {
  const { name = 'unnamed', version = '' } = client.getServerVersion() ?? {};
  const { resources } = await client.listResources();
  return {
    server: `${name} ${version}`,
    protocolVersion: client.getNegotiatedProtocolVersion() ?? 'unknown',
    // The SDK's client answers this request; that ours is also answered by the server is an addition of ours.
    ...(await client.request({ method: 'roots/list' }, rootsSchema)),
    resources,
    tools: (await client.listTools()).tools,
    prompts: (await client.listPrompts()).prompts,
    file: await readOneFile(client, resources),
    problems: await readProblems(
      client,
      resources.map(pathOf).filter((path) => path !== undefined),
    ),
  };
}

const rootsSchema = z.object({ roots: z.array(z.object({ uri: z.string(), name: z.string().optional() })) });

/** The README, which tells most about a project, or else the first text there is. */
async function readOneFile(client: Client, resources: Resource[]): Promise<AgentView['file']> {
  const texts = resources.filter(({ mimeType }) => mimeType?.startsWith('text/'));
  const chosen = texts.find(({ uri }) => /\/readme\.\w+$/i.test(uri)) ?? texts[0];
  if (!chosen) return undefined;
  const { contents } = await client.readResource({ uri: chosen.uri });
  const content = contents.find((part) => 'text' in part);
  return content && { uri: chosen.uri, text: content.text };
}

function pathOf({ uri, mimeType }: Resource): string | undefined {
  return uri.startsWith('file:') && mimeType !== 'inode/directory' ? fileURLToPath(uri) : undefined;
}
