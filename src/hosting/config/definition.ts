import * as z from 'zod';
import { itemsOf } from '../../core/json.ts';

/** VS Code's own fields of mcp.json that mean nothing here. */
const unused = z.unknown().optional();

const text = z.string().min(1);

const texts = z.array(text).optional();

/** As VS Code's mcp.json has it beside its servers. */
const sandbox = z.strictObject({
  network: z.strictObject({ allowedDomains: texts, deniedDomains: texts }).optional(),
  filesystem: z.strictObject({ denyRead: texts, allowWrite: texts, denyWrite: texts }).optional(),
});

const stdio = {
  type: z.literal('stdio').default('stdio'),
  command: text,
  args: z.array(z.string()).default([]),
  cwd: text.optional(),
  env: z.record(z.string(), z.union([z.string(), z.number(), z.null()])).default({}),
  envFile: text.optional(),
  sandboxEnabled: z.boolean().optional(),
  sandbox: sandbox.optional(),
};

const remote = {
  type: z.enum(['http', 'sse']).default('http'),
  url: text,
  headers: z.record(z.string(), z.string()).default({}),
  oauth: z.object({ clientId: text.optional() }).optional(),
};

const globs = z.array(text);

const options = {
  enabled: z.boolean().default(true),
  tools: z
    .strictObject({
      allow: globs.default(['*']),
      deny: globs.default([]),
      askReadOnly: z.boolean().optional(),
    })
    .prefault({}),
  roots: z.boolean().default(true),
  sampling: z.enum(['editor', 'agent', 'deny']).default('editor'),
  samplingLimits: z
    .strictObject({
      models: z.array(text).optional(),
      maxTokens: z.number().int().min(1).optional(),
      perMinute: z.number().int().min(1).optional(),
    })
    .prefault({}),
  elicitation: z.enum(['editor', 'agent', 'deny']).default('editor'),
  share: z.enum(['window', 'agent']).default('window'),
  agents: z.array(text).optional(),
  keepAlive: z.boolean().default(false),
};

/** For `type`, see `withType`. */
const transport = z.string().optional();

const ignored = { transport, dev: unused, gallery: unused, version: unused };

/** As in a file of VS Code or another client: fields that are unknown here are ignored, ours included. */
export const inFile = { stdio: z.object(stdio), remote: z.object(remote) };

/** As in the setting: an unknown field is an error, because it is probably misspelled. */
export const inSettings = {
  stdio: z.strictObject({ ...stdio, ...options, ...ignored }),
  remote: z.strictObject({ ...remote, ...options, ...ignored, sandboxEnabled: unused }),
};

/** A process to start. Texts may have variables. A variable of the environment that is null is removed. */
export type StdioLaunch = z.infer<typeof inFile.stdio>;

/** A server to connect to. Texts may have variables. */
export type RemoteLaunch = z.infer<typeof inFile.remote>;

/** What is started or connected to: the part of a definition that the user's approval covers. */
export type ServerLaunch = StdioLaunch | RemoteLaunch;

const all = z.object(options);

/** What agents and the server may do; the user can change it without another approval of the server. */
export type ServerOptions = z.infer<typeof all>;

export interface ServerDefinition {
  launch: ServerLaunch;
  options: ServerOptions;
}

export const isStdio = (launch: ServerLaunch): launch is StdioLaunch => launch.type === 'stdio';

/** @param value empty for the default ones */
export const optionsOf = (value: object): ServerOptions => all.parse(value);

const id = z.string().min(1);
const description = z.string().optional();
const option = z.union([z.string(), z.object({ label: z.string().optional(), value: z.string() })]);

const schema = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('promptString'),
    id,
    description,
    default: z.string().optional(),
    password: z.boolean().default(false),
  }),
  z.object({
    type: z.literal('pickString'),
    id,
    description,
    default: z.string().optional(),
    options: z.array(option).min(1),
  }),
]);

/** A value that the user enters when the server starts first, as in VS Code's mcp.json. */
export type ServerInput = z.infer<typeof schema>;

/**
 * The valid inputs of a mcp.json. All others are left out, also those of type `command`, which would run a command of VS Code: the
 * user is then asked for the value itself.
 */
export const inputsIn = (value: unknown): ServerInput[] =>
  itemsOf(value).flatMap((item) => schema.safeParse(item).data ?? []);

/** The declared input of an id. One that is not declared is entered like a password, since it may be one. */
export const declaredInput = (inputs: readonly ServerInput[], name: string): ServerInput =>
  inputs.find((input) => input.id === name) ?? { type: 'promptString', id: name, password: true };
