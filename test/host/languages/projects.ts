/** What is in the projects of `workspace`, a folder for each language: what a right answer has. */
import { cpp } from './projects/cpp.ts';
import { go } from './projects/go.ts';
import { php } from './projects/php.ts';
import { python } from './projects/python.ts';
import { shell } from './projects/shell.ts';
import { typescript } from './projects/typescript.ts';

/** A path in the project and a 1-based line: `src/use.py:7`. */
export type Place = string;

/** A name on a line, and where tools should lead from there. */
export interface Name {
  at: Place;
  name: string;
  to: readonly Place[];
}

/** A declared symbol, and where tools should lead from it. */
export interface Declared {
  path: string;
  name: string;
  to: readonly Place[];
}

/** The place right behind a text on a line, and what the server offers there. */
export interface Behind {
  at: Place;
  text: string;
  offers: string;
}

/** A change of a file. */
export interface Change {
  path: string;
  oldText: string;
  newText: string;
}

export interface Project {
  /** Files without and with errors. */
  clean: readonly string[];
  broken: readonly string[];
  /** A notebook with errors in its cells, which the server does not look at. */
  notebook?: string;
  /** A folder with some of the broken ones. */
  folder: string;
  /** A file, and lines of its outline. */
  outline: { path: string; lines: readonly RegExp[] };
  /** A function: the code of the project has its name for nothing else. */
  function: { name: string; path: string; first: number; last: number; callers: readonly Place[] };
  /** Where it is declared, if that is another place. */
  declaration?: Place;
  /** Names of a symbol as people write them, its file, and what begins the lines of its declarations. */
  declared: { names: readonly string[]; path: string; lines: readonly string[] };
  /** A function, and those that it calls. */
  caller: Declared;
  /** A variable and its type; a method and what implements it; a class and its subtypes, another and its supertypes. */
  variable?: Name;
  method?: Name;
  type?: Declared;
  subtype?: Declared;
  /** A file that a formatter would change. */
  unformatted: string;
  /** A broken file, and a code action there. */
  fix: { path: string; action: RegExp };
  completion: Behind;
  signature?: Behind;
  /** A file or folder, a new place for it, and the lines that import it. */
  move: { source: string; destination: string; importers: readonly Place[] };
  /** Has errors in `breaks` only, which is clean before. */
  wrong?: Change & { breaks: string };
  /** Has no errors anywhere. */
  right: Change;
}

const PROJECTS: Readonly<Record<string, Project>> = { typescript, python, cpp, go, php, shell };

export function projectOf(language: string): Project {
  const project = PROJECTS[language];
  if (!project) throw new Error(`There is no project of ${language}.`);
  return project;
}
