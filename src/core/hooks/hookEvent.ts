import { type Fields, fieldsOf, isObject, parsedJson } from '../json.ts';
import { cutText } from '../text/cut.ts';
import type { HookAgent, HookEvent, HookMoment, ProposedEdit } from './event.ts';
import { FROM_USER, hookProgram } from './hookPrograms.ts';

/** UTF-16 units: a longer id or path is none. */
export const LONGEST_ID = 200;
export const LONGEST_PATH = 4_096;
/** Paths of one event. */
export const MOST_PATHS = 500;
/** UTF-16 units of all texts that wait for permission. */
export const MOST_PROPOSED = 1024 * 1024;
const LONGEST_COMMAND = 200;
/** UTF-16 units of a command line that waits for permission. */
export const LONGEST_JUDGED = 20_000;
const LONGEST_PROMPT = 80;

/** Agents take it for a prompt; Claude Code puts text of its own around it. */
const SENT = new RegExp(`${FROM_USER}([^]*?)(?:</system-reminder>|$)`);

/** Claude Code takes it for a prompt: what ran in the background has ended. */
const NOTIFIED = /^<task-notification>.*?<summary>(.*?)<\/summary>/s;

/** Absolute on any system: the hook and its window may not run on the one that a test has. */
export const isAbsolutePath = (path: string): boolean => /^(?:\/|[a-z]:[\\/]|\\\\)/i.test(path);

/**
 * What a hook reports, from the JSON of any of the six agents; undefined if it reports nothing. Only places and ids are taken of it,
 * and texts only where they wait for permission.
 *
 * @param name of the event, as the agent calls it
 */
export function hookEventOf(agent: string, name: string, payload: unknown): HookEvent | undefined {
  const program = hookProgram(agent);
  const [moment] = Object.entries(program?.events ?? {}).find(([, event]) => event === name) ?? [];
  const given = fieldsOf(payload);
  const session = textIn(given, LONGEST_ID, 'session_id', 'sessionId', 'sessionID');
  const cwd = textIn(given, LONGEST_PATH, 'cwd');
  if (!program || !moment || !session || !cwd || !isAbsolutePath(cwd)) return undefined;
  const about = aboutOf(agent as HookAgent, moment as HookMoment, given, program.tools);
  return about && { agent: agent as HookAgent, moment: moment as HookMoment, session, cwd, ...about };
}

type About = Omit<HookEvent, 'agent' | 'moment' | 'session' | 'cwd'>;

function aboutOf(agent: HookAgent, moment: HookMoment, given: Fields, tools: string): About | undefined {
  if (moment === 'stop') return given.stop_hook_active === true ? { isContinued: true } : {};
  if (moment === 'wait') return {};
  if (moment !== 'prompt') return aboutTool(moment, given, tools);
  // Qwen Code tells it again before each request to its model, without the field.
  const prompt = textIn(
    given,
    Number.POSITIVE_INFINITY,
    agent === 'qwen-code' ? 'submitted_prompt' : 'prompt',
  );
  if (prompt === undefined) return agent === 'qwen-code' ? undefined : {};
  const [, sent = prompt] = SENT.exec(prompt) ?? NOTIFIED.exec(prompt) ?? [];
  return { prompt: beginning(sent, LONGEST_PROMPT) };
}

function aboutTool(moment: HookMoment, given: Fields, tools: string): About | undefined {
  const tool = textIn(given, LONGEST_ID, 'tool_name', 'toolName', 'tool');
  // Tools of MCP servers, ours too, are not the agent's own.
  if (!tool || !tools.split('|').includes(tool)) return undefined;
  const call = textIn(given, LONGEST_ID, 'tool_use_id', 'tool_call_id', 'callID');
  const input = inputIn(given);
  const of = { tool, ...(call && { call }) };
  if (/^(?:bash|powershell|run_shell_command)$/i.test(tool)) {
    const command = textIn(input, Number.POSITIVE_INFINITY, 'command');
    if (!command) return of;
    // Nobody can judge a part of it.
    if (moment === 'permission')
      return command.length > LONGEST_JUDGED || !isOnly(input, SHELL_FIELDS) ? undefined : { ...of, command };
    return { ...of, command: beginning(command, LONGEST_COMMAND) };
  }
  const patch = textIn(input, Number.POSITIVE_INFINITY, ...FIELDS.patch);
  const path = textIn(input, LONGEST_PATH, ...FIELDS.path);
  const paths = path ? [path] : pathsIn(patch ?? '');
  if (moment !== 'permission') return { ...of, ...(paths.length > 0 && { paths }) };
  const proposed = proposedIn(input, path);
  return proposed && { ...of, ...(paths.length > 0 && { paths }), proposed: [proposed] };
}

/** Arguments of a tool: an object, its JSON, or a patch. */
function inputIn({ tool_input, toolArgs, toolInput, args }: Fields): Fields {
  const given = tool_input ?? toolArgs ?? toolInput ?? args;
  if (typeof given !== 'string') return fieldsOf(given);
  const parsed = parsedJson(given);
  return isObject(parsed) ? parsed : { patch: given };
}

/** Files that a patch names, each once. */
function pathsIn(patch: string): string[] {
  const lines = patch.matchAll(/^\*\*\* (?:(?:Update|Add|Delete) File|Move to): ([^\r\n]+)/gm);
  const paths = new Set<string>();
  for (const [, path = ''] of lines) {
    if (paths.size === MOST_PATHS) break;
    if (path.length <= LONGEST_PATH) paths.add(path.trim());
  }
  return [...paths];
}

/** Fields of the agents' own tools, by what they mean. */
const FIELDS = {
  path: ['file_path', 'notebook_path', 'filePath', 'path'],
  patch: ['command', 'patch', 'patchText', 'input'],
  diff: ['diff'],
  content: ['content', 'file_text'],
  old: ['old_string', 'old_str', 'oldString'],
  by: ['new_string', 'new_str', 'newString'],
  isAll: ['replace_all', 'replaceAll'],
} as const;
type Field = keyof typeof FIELDS;

/** Fields of a shell that do not change what its line does. */
const SHELL_FIELDS = [
  'command',
  'description',
  'timeout',
  'timeout_ms',
  'run_in_background',
  'is_background',
];

const isOnly = (input: Fields, names: readonly string[]): boolean =>
  Object.keys(input).every((name) => names.includes(name));

/**
 * What an edit would do. Undefined if its texts are too long to be shown, or it has any other field or one twice: what is shown has
 * to be what runs.
 */
function proposedIn(input: Fields, path: string | undefined): ProposedEdit | undefined {
  const names = Object.keys(input);
  const groups = Object.entries(FIELDS) as [Field, readonly string[]][];
  const found = groups.flatMap(([field, all]) => names.filter((name) => all.includes(name)).map(() => field));
  const form = [...found].sort().join(' ');
  const text = (field: Field) => textIn(input, MOST_PROPOSED, ...FIELDS[field]) ?? '';
  if (found.length !== names.length || text('old').length + text('by').length > MOST_PROPOSED)
    return undefined;
  if (form === 'patch' && text('patch')) return { patch: text('patch') };
  if (path === undefined) return undefined;
  if (form === 'diff path' && text('diff')) return { patch: text('diff') };
  if (form === 'content path')
    return isText(input, 'content') ? { path, content: text('content') } : undefined;
  const isAll = FIELDS.isAll.some((name) => input[name] === true);
  const isReplacement = form === 'by old path' || form === 'by isAll old path';
  if (!isReplacement || !isText(input, 'old') || !isText(input, 'by')) return undefined;
  return { path, replacements: [{ old: text('old'), by: text('by'), ...(isAll && { isAll }) }] };
}

/** Whether a text can be shown; it may be empty. */
const isText = (input: Fields, field: Field): boolean =>
  FIELDS[field].some((name) => {
    const value = input[name];
    return typeof value === 'string' && value.length <= MOST_PROPOSED;
  });

/** The first of these fields that is a text and not empty; undefined if it is too long. */
function textIn(fields: Fields, longest: number, ...names: string[]): string | undefined {
  const text = names.map((name) => fields[name]).find((value) => typeof value === 'string' && value !== '');
  return typeof text === 'string' && text.length <= longest ? text : undefined;
}

/** The first words, on one line. A copy: a part would keep the whole text in memory. */
const beginning = (text: string, length: number): string =>
  [
    ...cutText(
      text
        .slice(0, 4 * length)
        .replace(/\s+/g, ' ')
        .trim(),
      length,
    ),
  ].join('');
