/** What the compiler knows of all projects at once: the language service of VS Code's own TypeScript, in the bench's process. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { ensureHeadlessHost } from '../../host/headless/install.ts';
import { textsOf } from '../code/zod.ts';
import { stage } from '../stage.ts';

interface Node {
  kind: number;
  name?: Node;
  text?: string;
  parameters?: unknown[];
  getStart(file: SourceFile): number;
  forEachChild(take: (child: Node) => void): void;
}
interface SourceFile extends Node {
  getLineAndCharacterOfPosition(at: number): { line: number; character: number };
}
interface Span {
  fileName: string;
  textSpan: { start: number };
}
interface RenameLocation {
  fileName: string;
  textSpan: { start: number; length: number };
  prefixText?: string;
  suffixText?: string;
}
interface IncomingCall {
  from: { file: string };
  fromSpans: { start: number }[];
}
interface LanguageService {
  getProgram(): { getSourceFile(path: string): SourceFile };
  getReferencesAtPosition(path: string, at: number): Span[] | undefined;
  findRenameLocations(
    path: string,
    at: number,
    inStrings: false,
    inComments: false,
    how: object,
  ): RenameLocation[] | undefined;
  provideCallHierarchyIncomingCalls(path: string, at: number): IncomingCall[];
}
interface TypeScript {
  SyntaxKind: Record<string, number>;
  ScriptSnapshot: { fromString(text: string): unknown };
  sys: Record<'readFile' | 'fileExists' | 'directoryExists', unknown>;
  createLanguageService(host: object): LanguageService;
  convertCompilerOptionsFromJson(options: object, folder: string): { options: object };
  getDefaultLibFilePath(options: object): string;
}

/** A symbol where it is declared. */
export interface Declaration {
  kind: string;
  name: string;
  path: string;
  /** 1-based, as is the column, which counts UTF-16 units. */
  line: number;
  column: number;
  at: number;
}

const KINDS = [
  'FunctionDeclaration',
  'ClassDeclaration',
  'InterfaceDeclaration',
  'TypeAliasDeclaration',
  'EnumDeclaration',
  'VariableDeclaration',
  'MethodDeclaration',
  'MethodSignature',
  'PropertyDeclaration',
  'PropertySignature',
] as const;

export type Compiler = Awaited<ReturnType<typeof compilerOf>>;

/** @param folder with a `tsconfig.base.json` that all projects share */
export async function compilerOf(folder: string) {
  const { serverMain } = await ensureHeadlessHost(stage);
  const require = createRequire(import.meta.url);
  const library = join(serverMain, '../../extensions/node_modules/typescript/lib/typescript.js');
  const ts: TypeScript = require(library);
  const texts = new Map([...textsOf(folder)].map(([path, text]) => [join(folder, path), text]));
  const { compilerOptions } = JSON.parse(readFileSync(join(folder, 'tsconfig.base.json'), 'utf8'));
  const { options } = ts.convertCompilerOptionsFromJson(compilerOptions, folder);
  const { readFile, fileExists, directoryExists } = ts.sys;
  const service = ts.createLanguageService({
    readFile,
    fileExists,
    directoryExists,
    getCompilationSettings: () => options,
    getScriptFileNames: () => [...texts.keys(), join(folder, 'types/packages.d.ts')],
    getScriptVersion: () => '1',
    getScriptSnapshot: (path: string) => ts.ScriptSnapshot.fromString(readFileSync(path, 'utf8')),
    getCurrentDirectory: () => folder,
    getDefaultLibFileName: ts.getDefaultLibFilePath,
  });
  let program: ReturnType<LanguageService['getProgram']> | undefined;
  const short = (path: string) => path.slice(folder.length + 1);
  const fileOf = (path: string) => {
    program ??= service.getProgram();
    return program.getSourceFile(join(folder, path));
  };
  const kinds = new Map(KINDS.map((kind) => [ts.SyntaxKind[kind], kind]));
  const lineAt = (path: string, at: number) => fileOf(path).getLineAndCharacterOfPosition(at).line + 1;
  const lineOf = ({ fileName, textSpan }: Span) =>
    `${short(fileName)}:${lineAt(short(fileName), textSpan.start)}`;

  return {
    /** The text of each file, by its path relative to the folder. */
    texts: textsOf(folder),

    /** What a file declares, but for what is in bodies of functions. */
    declarations(path: string): Declaration[] {
      const file = fileOf(path);
      const found: Declaration[] = [];
      const look = (node: Node): void => {
        const kind = kinds.get(node.kind);
        if (kind && node.name?.text) {
          const at = node.name.getStart(file);
          const { line, character } = file.getLineAndCharacterOfPosition(at);
          found.push({ kind, name: node.name.text, path, line: line + 1, column: character + 1, at });
        }
        if (node.kind !== ts.SyntaxKind.Block) node.forEachChild(look);
      };
      file.forEachChild(look);
      return found;
    },

    /** `file:line` of each reference, its declarations among them. */
    references: ({ path, at }: Declaration): Set<string> =>
      new Set((service.getReferencesAtPosition(join(folder, path), at) ?? []).map(lineOf)),

    /** The texts of the files that TypeScript's own rename changes, as VS Code asks for it. */
    renamed({ path, at }: Declaration, newName: string): Map<string, string> {
      const how = { providePrefixAndSuffixTextForRename: true };
      const places = service.findRenameLocations(join(folder, path), at, false, false, how) ?? [];
      const changed = new Map<string, string>();
      for (const { fileName, textSpan, prefixText = '', suffixText = '' } of places.toSorted(
        (a, b) => b.textSpan.start - a.textSpan.start,
      )) {
        const text = changed.get(short(fileName)) ?? texts.get(fileName) ?? '';
        const { start, length } = textSpan;
        const renamed = `${prefixText}${newName}${suffixText}`;
        changed.set(short(fileName), text.slice(0, start) + renamed + text.slice(start + length));
      }
      return changed;
    },

    /** `file:line` of each call. */
    callers: ({ path, at }: Declaration): Set<string> =>
      new Set(
        service
          .provideCallHierarchyIncomingCalls(join(folder, path), at)
          .flatMap(({ from: { file }, fromSpans }) =>
            fromSpans.map(({ start }) => lineOf({ fileName: file, textSpan: { start } })),
          ),
      ),
  };
}
