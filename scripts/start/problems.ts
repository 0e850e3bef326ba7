/** The problems that the language servers report, by the tool `get_diagnostics`. */

import { setTimeout as delay } from 'node:timers/promises';
import type { Client } from '@modelcontextprotocol/client';
import { z } from 'zod';

export interface FileProblems {
  path: string;
  problems: { line: number; column: number; severity: string; message: string }[];
}

/** Milliseconds that a language server has to load a project. */
const PATIENCE = 30_000;

/** Files to ask for where VS Code has not looked at any by itself. */
const MOST_FILES = 20;

/** What VS Code checks without further extensions comes first. */
const checkedByItself = /\.(tsx?|jsx?|mts|mjs|css|scss|less)$/;

/** @param paths of the workspace's files */
export async function readProblems(client: Client, paths: string[]): Promise<FileProblems[]> {
  const known = await diagnostics(client, {});
  const sources = paths.filter((path) => checkedByItself.test(path)).slice(0, MOST_FILES);
  if (known.files.length > 0 || sources.length === 0) return known.files;
  for (const deadline = Date.now() + PATIENCE; ; await delay(500)) {
    const { files, pending } = await diagnostics(client, { paths: sources });
    if (pending.length === 0 || Date.now() > deadline) return files;
  }
}

async function diagnostics(client: Client, args: Record<string, unknown>): Promise<z.output<typeof answer>> {
  const result = await client.callTool({ name: 'get_diagnostics', arguments: args });
  if (result.isError) throw new Error(`get_diagnostics failed: ${JSON.stringify(result.content)}`);
  const { files, pending } = answer.parse(result.structuredContent);
  return { files: files.filter(({ problems }) => problems.length > 0), pending };
}

const problem = z.object({
  line: z.number(),
  column: z.number(),
  severity: z.string(),
  message: z.string(),
});

const answer = z.object({
  files: z.array(z.object({ path: z.string(), problems: z.array(problem) })),
  pending: z.array(z.string()).default([]),
});
