import assert from 'node:assert/strict';
import { type Program, unresolvedImports } from '../../../src/tsserver/unresolved.ts';

const named = (...names: string[]) => ({
  elements: names.map((text) => ({
    ...(text === 'as' && { propertyName: { text: 'own' } }),
    name: { text },
  })),
});
const moduleSpecifier = {};

describe('tsserver/unresolved', () => {
  it('has the imports that lead to nothing, with the names that they import, as TypeScript parses them', () => {
    const parents: Record<string, object> = {
      side: { moduleSpecifier },
      default: { moduleSpecifier, importClause: { name: {} } },
      namespace: { moduleSpecifier, importClause: { namedBindings: {} } },
      named: { moduleSpecifier, importClause: { namedBindings: named('a', 'as') } },
      all: { moduleSpecifier, exportClause: undefined },
      exported: { moduleSpecifier, exportClause: named('b') },
      required: {},
      found: { moduleSpecifier, exportClause: undefined },
      script: { moduleSpecifier, exportClause: undefined },
    };
    const imports = Object.entries(parents).map(([text, parent]) => ({ text, parent }));
    const program: Program = {
      getSourceFile: (file) => (file === '/a.ts' ? { imports } : undefined),
      getTypeChecker: () => ({ getSymbolAtLocation: ({ text }) => (text === 'found' ? {} : undefined) }),
      getResolvedModuleFromModuleSpecifier: ({ text }) =>
        text === 'script' ? { resolvedModule: {} } : undefined,
    };
    const found = unresolvedImports('/a.ts', program).map(({ specifier, names }) => [specifier, ...names]);
    assert.deepEqual(found, [
      ['side'],
      ['default', '*', '*'],
      ['namespace', '*'],
      ['named', 'a', 'own'],
      ['all', '*'],
      ['exported', 'b'],
      ['required', '*'],
    ]);
    assert.deepEqual(unresolvedImports('/b.ts', program), []);
  });
});
