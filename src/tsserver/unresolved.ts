/** Imports that lead to nothing: in a clone that is not built or installed, TypeScript knows of no use behind them. */
import type { UnresolvedImport } from './commands.ts';

/** What TypeScript's syntax tree and checker have, as far as it is used here. */
export interface Program {
  getSourceFile(file: string): SourceFile | undefined;
  getTypeChecker(): { getSymbolAtLocation(node: Literal): object | undefined };
  /** Private. */
  getResolvedModuleFromModuleSpecifier?(
    one: Literal,
    file: SourceFile,
  ): { resolvedModule?: object } | undefined;
}
interface SourceFile {
  /** Private: the specifiers of all imports, exports and `require`. */
  imports?: readonly Literal[];
}
interface Literal {
  text: string;
  parent?: Declaration;
}
interface Named {
  name?: { text: string };
  propertyName?: { text: string } | undefined;
}
interface Declaration {
  importClause?: { name?: object; namedBindings?: { elements?: readonly Named[] } };
  exportClause?: { elements?: readonly Named[] };
  moduleSpecifier?: object;
}

export function unresolvedImports(file: string, program: Program | undefined): UnresolvedImport[] {
  const source = program?.getSourceFile(file);
  if (!program || !source?.imports) return [];
  // A script without types leads somewhere, and has no symbol; a module that is only declared has one.
  const leadsTo = (one: Literal) =>
    program.getResolvedModuleFromModuleSpecifier?.(one, source)?.resolvedModule ??
    program.getTypeChecker().getSymbolAtLocation(one);
  return source.imports
    .filter((one) => !leadsTo(one))
    .map((one) => ({ file, specifier: one.text, names: namesOf(one.parent) }));
}

function namesOf(parent: Declaration = {}): string[] {
  const { importClause, exportClause, moduleSpecifier } = parent;
  const isExport = 'exportClause' in parent;
  const elements = (isExport ? exportClause : importClause?.namedBindings)?.elements;
  if (!importClause && !isExport) return moduleSpecifier ? [] : ['*']; // `import 'a'`, or `require('a')`
  const names = elements?.map(({ name, propertyName }) => (propertyName ?? name)?.text ?? '*') ?? ['*'];
  return importClause?.name ? ['*', ...names] : names;
}
