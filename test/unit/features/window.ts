import assert from 'node:assert/strict';
import { join } from 'node:path';
import type { CallToolResult } from '@modelcontextprotocol/server';
import type { Grantee } from '../../../src/access/consent/types.ts';
import type { OpenWindow } from '../../../src/core/windowTools.ts';
import type { Call, Input } from '../../../src/features/context.ts';
import type { Tool } from '../../../src/features/tool.ts';
import { windowServices } from '../../../src/features/windowServices.ts';
import type { Hosting } from '../../../src/hosting/servers/hosting.ts';
import { approvalOf } from '../../../src/protocol/tools.ts';
import { Reports } from '../../../src/services/language/reports.ts';
import { Comments } from '../../../src/workspace/comments/comments.ts';
import { Journal } from '../../../src/workspace/edit/journal.ts';
import type { ClientRoots } from '../../../src/workspace/files.ts';
import { FakeConsent } from '../../fakes/consent.ts';
import { type FakeOptions, FakeVscode } from '../../fakes/vscode.ts';
import { silent } from '../log.ts';
import { folderWith, cleanUp as removeFolders, rootsOf, write } from '../workspace/openWindow.ts';

const opened: { dispose(): void }[] = [];

export type Tree = Record<string, string | Buffer>;

/** Nothing can be asked of this agent. */
const noInput: Input = {
  capabilities: {},
  answers: {},
  state: undefined,
  ask: async () => assert.fail('asks for input'),
};

/** A call that nobody cancels. */
export const CALL: Call = {
  signal: new AbortController().signal,
  input: noInput,
  progress: () => {},
  log: () => {},
};

/** A window as one agent has it. */
export type Window = ReturnType<typeof openWindow>;

type Options = Partial<FakeOptions> & {
  roots?: readonly string[];
  /** Where the agent works, in the first folder. */
  directory?: string;
  windows?: readonly OpenWindow[];
  /** The folder of the user's own files. */
  userFolder?: string;
  hosting?: Hosting;
};

/** @param trees a folder for each; with more than one, the folders are named so. */
export function openWindow(trees: Tree | Record<string, Tree> = {}, options: Options = {}) {
  const folders = foldersOf(trees);
  const fake = FakeVscode.create({ folders, ...options });
  const warnings: string[] = [];
  const log = { ...silent, warn: (message: string) => warnings.push(message) };
  const consent = new FakeConsent();
  const windows = { list: async () => options.windows ?? [] };
  const about = { id: () => 'window-1', extensionVersion: '0.1.0', windows };
  const { userFolder, hosting } = options;
  const own = userFolder === undefined ? {} : { userFolder: fake.api.Uri.file(userFolder) };
  const journal = new Journal();
  const reports = new Reports(fake.api);
  const comments = new Comments(fake.api);
  const window = {
    vscode: fake.api,
    comments: {
      get isNone() {
        return comments.threads.length === 0;
      },
      load: async () => comments,
      onDidChange: (listener: () => void) => comments.onDidChange(listener),
    },
    ...about,
    ...own,
    log,
    consent,
    journal,
    reports,
    ...(hosting && { hosting }),
  };
  const shared = windowServices(window);
  opened.push(comments, shared);
  const directory = options.directory === undefined ? undefined : join(folders[0] ?? '', options.directory);
  const ctx = shared.contextFor(rootsOf(options.roots, directory));
  const { approvals } = shared;
  const grantee: Grantee = { asker: { agent: 'test' }, granted: new Set(), denied: new Set() };
  /** Absolute path of a file of the first folder. */
  const path = (file: string) => join(folders[0] ?? '', file);
  return {
    fake,
    ctx,
    approvals,
    hooks: shared.hooks,
    grantee,
    consent,
    /** What the user and agents said of lines. */
    comments,
    /** What agents changed. */
    journal,
    /** What the log warned of. */
    warnings,
    path,
    uri: (file: string) => fake.api.Uri.file(path(file)).toString(),
    contextFor: (roots: ClientRoots) => shared.contextFor(roots),
    /** The context of another agent in the same window. */
    another: shared.contextFor(rootsOf(options.roots), () => ({ id: 2, agent: 'other' })),
    /** @param as the agent's context: its own unless said otherwise */
    run: async (tool: Tool, args: object = {}, call = CALL, as = ctx): Promise<CallToolResult> => {
      const parsed = tool.input.parse(args) as never;
      const { requireAsked, ...approver } = approvalOf(tool, parsed, { approvals, grantee, ctx: as }, call);
      const result = await tool.run(parsed, as, { ...call, ...approver, tool: tool.name });
      requireAsked();
      return result as CallToolResult;
    },
  };
}

/** Removes what the test before has opened. */
export function cleanUp(): void {
  for (const shared of opened.splice(0)) shared.dispose();
  removeFolders();
}

/** The text of a result, and the note in front of it: both are in one block, because clients drop others. */
export function textsOf({ content }: CallToolResult): string[] {
  const [block] = content;
  assert.equal(content.length, 1);
  assert.ok(block?.type === 'text');
  const [lead = '', note] = /^\[Note: (.*)\]\n/.exec(block.text) ?? [];
  return [block.text.slice(lead.length), ...(note === undefined ? [] : [note])];
}

function foldersOf(trees: Tree | Record<string, Tree>): string[] {
  if (!Object.values(trees).some(isTree)) return [folderWith(trees as Tree)];
  const root = folderWith();
  return Object.entries(trees as Record<string, Tree>).map(([name, tree]) => {
    for (const [file, content] of Object.entries({ '.keep': '', ...tree }))
      write(join(root, name, file), content);
    return join(root, name);
  });
}

const isTree = (value: unknown): value is Tree => typeof value === 'object' && !Buffer.isBuffer(value);
