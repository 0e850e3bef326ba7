import assert from 'node:assert/strict';
import {
  CONFIG_ERRORS,
  EDITS_FOR_MOVE,
  NOT_LOADED,
  OWN_MOVE,
  SEEN_AS_BUILT,
} from '../../../src/tsserver/commands.ts';
import plugin from '../../../src/tsserver/plugin.ts';
import { holdClock } from '../../fakes/clock.ts';
import { parserOf } from './parser.ts';

interface Paths {
  oldFilePath: string;
  newFilePath: string;
}
type Handler = (request: { arguments: Paths & { files: string[] } }) => unknown;
type Service = ReturnType<ReturnType<typeof plugin>['create']>;
type Project = Parameters<ReturnType<typeof plugin>['create']>[0]['project'];

/** A server with two projects of `/a.ts`, each of which has one edit for each move; a third one sees what is built from it. */
function server() {
  const handlers = new Map<string, Handler>();
  const toNormalizedPath = (path: string) => path.replaceAll('\\', '/');
  const parser = parserOf([]);
  const sys = { ...parser.sys, readFile: () => undefined };
  const typescript = { ...parser, sys, forEachChild: () => undefined, server: { toNormalizedPath } };
  const projects: Service[] = [];
  const projectService = {
    getScriptInfo: (file: string): { containingProjects: readonly Project[] } | undefined => {
      const found: readonly Project[] = containingProjects.filter((one) => one.containsFile(file));
      return found.length > 0 ? { containingProjects: [...found, ofImports] } : undefined;
    },
    findProject: (path: string) => (path === '/tsconfig.json' ? containingProjects[0] : undefined),
  };
  /** It has no language service. */
  const ofImports: Project = {
    projectKind: 3,
    getLanguageService: () => assert.fail(),
    containsFile: () => true,
    projectService,
  };
  const files = [['/a.ts'], ['/a.ts'], ['/lib/a.d.ts', '/user.ts']];
  const containingProjects = files.map(
    (own, at): Project => ({
      projectKind: 1,
      getLanguageService: () => projects[at] as Service,
      containsFile: (file: string) => own.includes(file),
      projectService,
    }),
  );
  const session = {
    addProtocolHandler(command: string, handler: Handler) {
      assert.ok(!handlers.has(command), 'TypeScript takes a handler once');
      handlers.set(command, handler);
    },
    getEditsForFileRename: ({ oldFilePath, newFilePath }: Paths): unknown[] =>
      projects.slice(0, 2).flatMap((one) => one.getEditsForFileRename(oldFilePath, newFilePath)),
  };
  const getSourceMapper = () => ({
    tryGetGeneratedPosition: ({ fileName, pos }: { fileName: string; pos: number }) =>
      fileName === '/a.ts' ? { fileName: '/lib/a.d.ts', pos: pos + 100 } : undefined,
  });
  for (const [index, project] of containingProjects.entries()) {
    const at = index + 1;
    const caller = (file: string, start = at) => ({ from: { file, selectionSpan: { start } } });
    const languageService = {
      getEditsForFileRename: (from: string, to: string) => [`${from} > ${to}`],
      getCompilerOptionsDiagnostics: () => [{ code: 6306, category: 1, messageText: 'Not composite' }],
      getImplementationAtPosition: (_: string, start: number) =>
        [`/${at}.ts`, '/lib/a.d.ts'].map((fileName) => ({ fileName, textSpan: { start } })),
      provideCallHierarchyIncomingCalls: () => [caller('/both.ts', 0), caller(`/${at}.ts`)],
      getSourceMapper,
      getProgram: () => ({
        getSourceFile: (file: string) => (project.containsFile(file) ? ({} as never) : undefined),
        getTypeChecker: () => ({ getSymbolAtLocation: () => undefined }),
      }),
    };
    projects.push(plugin({ typescript }).create({ languageService, session, project }));
  }
  const request = (command: string, oldFilePath: string, newFilePath: string, files: string[] = []) =>
    handlers.get(command)?.({ arguments: { oldFilePath, newFilePath, files } });
  return { request, renamed: session.getEditsForFileRename, projects };
}

describe('tsserver/plugin', () => {
  const clock = holdClock();

  it('tells the edits for a move, of all projects', () =>
    assert.deepEqual(server().request(EDITS_FOR_MOVE, '/a.ts', '/b.ts'), {
      response: ['/a.ts > /b.ts', '/a.ts > /b.ts'],
      responseRequired: true,
    }));

  it('tells the errors of a configuration, with those of its project if it is loaded', () => {
    const told = (path: string) => {
      const { response } = server().request(CONFIG_ERRORS, '', '', [path]) as {
        response: { text: string }[];
      };
      return response.map(({ text }) => text);
    };
    assert.deepEqual([told('\\tsconfig.json'), told('/b/tsconfig.json')], [['Not composite'], []]);
  });

  it('tells which files are in no loaded project', () =>
    assert.deepEqual(server().request(NOT_LOADED, '', '', ['/a.ts', '/c.ts']), {
      response: ['/c.ts'],
      responseRequired: true,
    }));

  it('tells which files see only what is built from another', () =>
    assert.deepEqual(server().request(SEEN_AS_BUILT, '', '', ['/a.ts', '/a.ts', '/user.ts', '/c.ts']), {
      response: ['/user.ts'],
      responseRequired: true,
    }));

  it('looks for callers and implementations in all projects with the file or what is built from it, and tells each once', () => {
    const [, second] = server().projects;
    const callers = second?.provideCallHierarchyIncomingCalls('/a.ts', 0).map(({ from }) => from.file);
    assert.deepEqual(callers, ['/both.ts', '/1.ts', '/2.ts', '/3.ts']);
    const found = second?.getImplementationAtPosition('/a.ts', 1);
    const places = found?.map(({ fileName, textSpan }) => `${fileName}:${textSpan.start}`);
    assert.deepEqual(places, ['/1.ts:1', '/lib/a.d.ts:1', '/2.ts:1', '/3.ts:101']);
  });

  it('has none for an announced move, once, and leaves others alone', async () => {
    const { request, renamed } = server();
    request(OWN_MOVE, 'c:\\a.ts', 'c:\\b.ts');
    const move = { oldFilePath: 'c:/a.ts', newFilePath: 'c:/b.ts' };
    assert.equal(renamed({ oldFilePath: 'c:/b.ts', newFilePath: 'c:/a.ts' }).length, 2);
    assert.deepEqual(renamed(move), []);
    await clock.pass(0);
    assert.equal(renamed(move).length, 2);
    request(OWN_MOVE, '/a.ts', '/b.ts');
    await clock.pass(300_000);
    assert.equal(renamed({ oldFilePath: '/a.ts', newFilePath: '/b.ts' }).length, 2);
  });
});
