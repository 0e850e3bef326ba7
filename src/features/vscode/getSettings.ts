import type * as vscode from 'vscode';
import * as z from 'zod';
import { withoutSecrets } from '../../access/redaction/secrets.ts';
import { ifUserError } from '../../core/errors.ts';
import { type Fields, fieldsOf } from '../../core/json.ts';
import { cutText, fittingLines } from '../../core/text/cut.ts';
import { visible } from '../../core/text/visible.ts';
import { withDeadline } from '../../util/clock.ts';
import type { Location } from '../../workspace/read/location.ts';
import * as args from '../arguments.ts';
import type { Context } from '../context.ts';
import { isClosedSetting, type SettingLevel } from '../settingFiles.ts';
import { defineReadTool, text } from '../tool.ts';

const MOST_SHOWN = 50;
/** Settings that are described, if no more are found. */
const MOST_DESCRIBED = 5;
/** Most characters of a value, and of a description. */
const LONGEST_VALUE = 2_000;
const LONGEST_DESCRIPTION = 300;

/** The rules for agents, and patterns of what is redacted, are not told to agents. */
const OURS = /^workspaceMcp\b/i;

export const getSettings = defineReadTool({
  name: 'get_settings',
  title: 'Get settings',
  description: 'Gets VS Code settings and where each is set. Use it for tab size, formatters and paths.',
  group: 'vscode',
  hints: { search: 'settings: tab size, indentation, formatter' },
  input: z.strictObject({
    query: args.query.min(1).describe('Words, or names (a, b)'),
    path: args.path.optional().describe('File or folder that they hold for'),
  }),
  async run({ query, path }, ctx) {
    const known = await knownSettings(ctx.vscode);
    const meant = query.split(',').flatMap((one) => namesOf(one.trim(), Object.keys(known)));
    const all = [...new Set(meant)].filter((name) => !OURS.test(name));
    const names = all.slice(0, MOST_SHOWN);
    const { workspace } = ctx.vscode;
    const at = path ? await ctx.files.locateMeant(path) : undefined;
    const settings = workspace.getConfiguration(undefined, at ? await scopeOf(at, ctx) : null);
    const folder = at && workspace.getWorkspaceFolder(at.uri);
    const isDescribed = names.length <= MOST_DESCRIBED;
    const lines = names.flatMap((name) => {
      const line = lineOf(name, settings, folder, ctx);
      return line ? [line + (isDescribed ? descriptionOf(known[name]) : '')] : [];
    });
    if (lines.length === 0) return text(`No setting has "${query}" in its name.`);
    const shown = fittingLines(lines, args.DEFAULT_CHARACTERS);
    const rest = all.length - names.length + lines.length - shown.length;
    return text(
      ctx.files.redactor.json(shown.join('\n')),
      rest > 0 && `${rest} more settings; pass more words.`,
    );
  },
});

/** What VS Code knows of each setting, by name. Not a documented command: without it only whole names are found. */
const knownSettings = ({ commands }: typeof vscode): Promise<Fields> =>
  withDeadline(
    commands.executeCommand('_getAllSettings').then(fieldsOf, () => ({})),
    'listing settings',
  );

function namesOf(query: string, known: readonly string[]): string[] {
  if (known.includes(query)) return [query];
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  const found = known.filter((name) => words.every((word) => name.toLowerCase().includes(word))).sort();
  return found.length > 0 || !query ? found : [query]; // of an extension that has gone
}

async function scopeOf(location: Location, { files }: Context): Promise<vscode.ConfigurationScope> {
  const document = await files.loadDocument(location).catch(ifUserError(undefined));
  const { uri } = location;
  return document ? { uri, languageId: document.languageId } : uri;
}

/** Undefined if there is no such setting. */
function lineOf(
  name: string,
  settings: vscode.WorkspaceConfiguration,
  folder: vscode.WorkspaceFolder | undefined,
  ctx: Context,
): string | undefined {
  const inspected = settings.inspect(name);
  if (!inspected) return undefined;
  const set = sourcesOf(inspected);
  const value = settings.get(name);
  if (value === undefined || typeof value === 'function') return undefined; // every object has functions
  const json = (one: unknown) => JSON.stringify(one) ?? 'undefined';
  const isOne = typeof value !== 'object' || value === null;
  const from = isOne ? set.filter(([, one]) => one === value).slice(0, 1) : set; // objects are merged
  const sources = from.map(([source]) => source).join(' + ') || 'policy, or not in force here';
  const isDefault = sources === 'default';
  const levels = set.map(([source]) => /^(?:workspace|folder)/.exec(source)?.[0] as SettingLevel | undefined);
  if (levels.some((level) => level && isClosedSetting(name, level, folder, ctx)))
    return `${visible(name)}: closed to you, because it is set in a file that is`;
  const shownValue = (one: unknown) => {
    const all = json(one);
    return all.length > LONGEST_VALUE ? `${cutText(ctx.files.redactor.json(all), LONGEST_VALUE)}…` : all;
  };
  const shown = shownValue(isDefault ? value : withoutSecrets(name, value));
  const other = !isDefault && isOne ? `; default ${shownValue(inspected.defaultValue)}` : '';
  return visible(`${name}: ${shown} (${sources}${other})`);
}

type Inspected = NonNullable<ReturnType<vscode.WorkspaceConfiguration['inspect']>> & {
  globalRemoteValue?: unknown;
};

/** Where it is set, the strongest first. */
function sourcesOf(inspected: Inspected): [source: string, value: unknown][] {
  const all: [string, unknown][] = [
    ['folder, language', inspected.workspaceFolderLanguageValue],
    ['workspace, language', inspected.workspaceLanguageValue],
    ['user, language', inspected.globalLanguageValue],
    ['default, language', inspected.defaultLanguageValue],
    ['folder', inspected.workspaceFolderValue],
    ['workspace', inspected.workspaceValue],
    ['remote', inspected.globalRemoteValue],
    ['user', inspected.globalValue],
    ['default', inspected.defaultValue],
  ];
  return all.filter(([, value]) => value !== undefined);
}

function descriptionOf(known: unknown): string {
  const { description, markdownDescription, enum: values } = fieldsOf(known);
  const said = cutText(
    visible(`${description ?? markdownDescription ?? ''}`.replaceAll(/\s+/g, ' ')),
    LONGEST_DESCRIPTION,
  );
  const all = Array.isArray(values) ? ` One of ${cutText(JSON.stringify(values), LONGEST_DESCRIPTION)}.` : '';
  return said || all ? `\n  ${said}${all}` : '';
}
