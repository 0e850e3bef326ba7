import { createHash } from 'node:crypto';
import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import { entryNamesIn, isMissing, readIfThere, realPathOf } from '../util/diskPaths.ts';
import { readConfiguration, readFileOf } from './configurationFile.ts';
import { whole } from './formats/whole.ts';
import type { Own } from './hooks/readHooks.ts';
import type { AgentProgram, Launch, Machine, Target } from './program.ts';
import { agentPrograms } from './programs.ts';

/** The file of a skill. It is ours only if it is as we wrote it. */
export interface OwnSkill extends Own {
  /** It is a link, changed by the user or made by somebody else, so it is neither written nor removed. */
  isKept: boolean;
}

/** All our skills have it: those of another version are found by it. */
const PREFIX = 'vscode-';
const FILE = 'SKILL.md';

/** In the front matter, where agents ignore it: by the hash of the text without it, a text that was changed is known. */
const MARK = /^metadata:\n {2}workspace-mcp: "([0-9a-f]{12})"\n(?=---$)/m;

const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 12);

/** The text of a skill as it is written. */
export const marked = (text: string): string =>
  text.replace(/\n---$/m, `\nmetadata:\n  workspace-mcp: "${hashOf(text)}"\n---`);

const isUnchanged = (text: string): boolean => MARK.exec(text)?.[1] === hashOf(text.replace(MARK, ''));

/**
 * The skills that go with an entry in the user's file: those of this version, and ours of others. Empty for agents that are not known
 * to read the folder. Never throws.
 */
export async function readSkills({ program, place }: Target, machine: Machine): Promise<OwnSkill[]> {
  const folder = skillsFolder(program, machine);
  const { ownSkills } = machine;
  if (folder === undefined || ownSkills === undefined || place.scope !== 'user') return [];
  const there = entryNamesIn(folder).filter((name) => name.startsWith(PREFIX));
  const names = new Set([...entryNamesIn(ownSkills), ...there]);
  return Promise.all(
    [...names].map((name) => {
      const text = readIfThere(join(ownSkills, name, FILE))?.toString('utf8');
      return readSkill(join(folder, name), text, machine);
    }),
  );
}

/** @param source the text of this version; undefined if it has no such skill */
async function readSkill(folder: string, source: string | undefined, machine: Machine): Promise<OwnSkill> {
  const file = join(folder, FILE);
  const isPlain = isMissingOr(folder, 'isDirectory') && isMissingOr(file, 'isFile');
  const read = isPlain
    ? await readFileOf({ format: whole }, file, machine).catch(() => undefined)
    : undefined;
  const configuration = read ?? { file, format: whole, parse: whole.parse };
  const { text } = configuration;
  const found = text !== undefined && isUnchanged(text) ? [{ path: ['text'], value: text }] : [];
  const isFree = read !== undefined && text === undefined;
  const wanted =
    source !== undefined && (isFree || found.length > 0) ? [{ path: ['text'], value: marked(source) }] : [];
  const isKnown = source !== undefined || MARK.test(text ?? '');
  return { configuration, found, wanted, isKept: isKnown && !isFree && found.length === 0 };
}

/** Whether nothing is at a path, or something of a kind that is no link. */
function isMissingOr(path: string, kind: 'isFile' | 'isDirectory'): boolean {
  try {
    return lstatSync(path)[kind]();
  } catch (error) {
    return isMissing(error as NodeJS.ErrnoException);
  }
}

/** Whether another agent that has our entry reads the skills of the same folder. A file that is not valid may have one, too. */
export async function areInUse({ program }: Target, launch: Launch, machine: Machine): Promise<boolean> {
  const folder = realPathOf(skillsFolder(program, machine) ?? '');
  const others = agentPrograms.filter((one) => {
    const other = skillsFolder(one, machine);
    return one.id !== program.id && other !== undefined && realPathOf(other) === folder;
  });
  const places = others.flatMap(({ places }) => places.filter(({ scope }) => scope === 'user'));
  const found = await Promise.all(
    places.map((place) =>
      readConfiguration(place, launch.shim, machine).then(
        (read) => read?.entry !== undefined,
        () => place.files(machine).some((file) => readIfThere(file)?.includes('shim.js')),
      ),
    ),
  );
  return found.includes(true);
}

export const skillsFolder = ({ skills }: AgentProgram, machine: Machine): string | undefined =>
  skills?.(machine)[0];
