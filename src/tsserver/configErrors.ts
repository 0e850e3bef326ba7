/** The errors of a configuration as the disk has it now. What TypeScript's server has kept of it may be older. */
import type { ServerDiagnostic } from './commands.ts';

interface Place {
  line: number;
  character: number;
}
export interface Diagnostic {
  file?: { fileName: string };
  start?: number;
  length?: number;
  code: number;
  category: number;
  messageText: unknown;
}
interface Reference {
  path: string;
}
interface Parsed {
  raw?: { files?: unknown; include?: unknown };
  projectReferences?: readonly Reference[];
  errors: readonly Diagnostic[];
}
/** A part of TypeScript's own API. */
export interface Parser {
  sys: { fileExists(path: string): boolean; directoryExists(path: string): boolean };
  DiagnosticCategory: Record<number, string>;
  getParsedCommandLineOfConfigFile(path: string, options: object, host: object): Parsed | undefined;
  resolveProjectReferencePath(reference: Reference): string;
  flattenDiagnosticMessageText(text: unknown, newLine: string): string;
  getLineAndCharacterOfPosition(file: object, at: number): Place;
}

/** "No inputs were found": nothing wrong with a configuration that others extend. */
const NO_INPUTS = 18003;
/** "Cannot read file '…'" and "File '…' not found". */
const NOT_FOUND = new Set([5012, 5083, 6053]);
const ABSOLUTE = /(?:\/|[a-zA-Z]:[\\/])[^'"’”»」\n]+/;

/** @param ofProgram those of the project, if it is loaded */
export function configErrors(
  typescript: Parser,
  path: string,
  ofProgram: readonly Diagnostic[],
): ServerDiagnostic[] {
  const { sys, DiagnosticCategory } = typescript;
  const unread: Diagnostic[] = [];
  const host = { ...sys, onUnRecoverableConfigFileDiagnostic: (one: Diagnostic) => unread.push(one) };
  const parsed = typescript.getParsedCommandLineOfConfigFile(path, {}, host);
  const { raw, errors = [], projectReferences = [] } = parsed ?? {};
  for (const one of projectReferences)
    if (!sys.fileExists(typescript.resolveProjectReferencePath(one)))
      unread.push({ code: 6053, category: 1, messageText: `File '${one.path}' not found.` });
  const isProject = raw?.files ?? raw?.include ?? /[\\/][tj]sconfig\.json$/.test(path);
  const isThere = (text: string) => {
    const [named = ''] = ABSOLUTE.exec(text) ?? [];
    return sys.fileExists(named) || sys.directoryExists(named);
  };
  const place = (file: object | undefined, at: number) => {
    const { line, character } = file
      ? typescript.getLineAndCharacterOfPosition(file, at)
      : { line: 0, character: 0 };
    return { line: line + 1, offset: character + 1 };
  };
  const told = new Map<string, ServerDiagnostic>();
  for (const { file, start = 0, length = 0, code, category, messageText } of [
    ...unread,
    ...errors,
    ...ofProgram,
  ]) {
    const text = typescript.flattenDiagnosticMessageText(messageText, '\n');
    if (file && file.fileName !== path) continue;
    if ((code === NO_INPUTS && !isProject) || (NOT_FOUND.has(code) && isThere(text))) continue;
    const kind = (DiagnosticCategory[category] ?? 'error').toLowerCase() as ServerDiagnostic['category'];
    const where = { start: place(file, start), end: place(file, start + length) };
    told.set(`${code} ${text}`, { ...where, text, code, category: kind });
  }
  return [...told.values()];
}
