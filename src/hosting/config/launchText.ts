import { type FieldText, fieldText, fieldTexts } from '../../core/fieldChanges.ts';
import { textsIn } from '../../core/json.ts';
import { commandLine, type Shell } from '../../core/shell.ts';
import { allVisible } from '../../core/text/escapeInvisible.ts';
import { fingerprint } from '../names.ts';
import { isStdio, type ServerLaunch } from './definition.ts';
import { loadsCode, shownVariable } from './resolve/environment.ts';
import { references } from './resolve/variables.ts';

/** The SHA-256 of what is started or connected to, with its variables as they are written, in hex. */
export const launchHash = (launch: ServerLaunch): string => fingerprint(launch);

/** What the user sees before a server is started or connected to. Invisible characters are escaped. */
export interface ShownLaunch {
  /** Whole, quoted for the user's shell, with variables as they are written. */
  commandLine?: string;
  /** Undefined for the workspace folder. */
  cwd?: string;
  envFile?: string;
  /** Whole, with variables as they are written. */
  url?: string;
  /** Host and port of the URL; undefined if a variable can change them. */
  host?: string;
  /** Variables of the environment, from `shownVariable`: other values may be secrets. */
  env: string[];
  /** Names of the headers that are sent. */
  headers: string[];
  /** The `${…}` that it uses, each once: where values from outside come in. */
  references: string[];
}

/** @param shell that the command line is quoted for */
export function shownLaunch(launch: ServerLaunch, shell: Shell): ShownLaunch {
  const texts = textsIn(launch).flatMap(([, text]) => references(text));
  const used = { references: [...new Set(texts)].map(allVisible) };
  if (!isStdio(launch)) {
    const { url, headers } = launch;
    const [start] = /^https?:\/\/[^\s/\\?#@$]+(?![^/?#])/i.exec(url) ?? [];
    const host = start && URL.parse(start)?.host;
    return {
      url: allVisible(url),
      ...(host && { host }),
      env: [],
      headers: Object.keys(headers).map(allVisible),
      ...used,
    };
  }
  const { command, args, cwd, env, envFile } = launch;
  return {
    commandLine: allVisible(commandLine([command, ...args], shell)),
    ...(cwd && { cwd: allVisible(cwd) }),
    ...(envFile && { envFile: allVisible(envFile) }),
    env: Object.entries(env).map(([name, value]) => allVisible(shownVariable(name, value))),
    headers: [],
    ...used,
  };
}

/**
 * The fields of a launch, to be kept with an approval and compared later. The command is one field, its whole line. Of values that
 * may be secrets there are only 8 digits of a hash.
 */
export function launchFields(launch: ServerLaunch, shell: Shell): FieldText[] {
  if (!isStdio(launch)) {
    const { headers, ...rest } = launch;
    return [...fieldTexts(rest), ...hidden('headers', headers)];
  }
  const { command, args, env, ...rest } = launch;
  return [['command', commandLine([command, ...args], shell)], ...fieldTexts(rest), ...hidden('env', env)];
}

const hidden = (field: string, values: object): FieldText[] =>
  Object.entries(values).map(([name, value]) => [
    `${field}.${name}`,
    loadsCode(name) ? fieldText(value) : `#${fingerprint(value).slice(0, 8)}`,
  ]);
