/**
 * A plugin of TypeScript's server. VS Code's TypeScript extension updates imports, or asks with a dialog, once a file was moved, and
 * lets no other extension ask for these edits. With this plugin the server tells them before the move, and then has none for its own
 * extension, which stays silent. It also has callers and implementations looked for in all loaded projects, as TypeScript itself
 * does for references, also in those that see the declarations that are built from a file (`lib/a.d.ts` with its map) in its place:
 * TypeScript's own call hierarchy ends with the project of the function. And a name is that of its own declaration there.
 */

import { clock } from '../util/clock.ts';
import {
  type CheckedProgram,
  nameMapper,
  namesIn,
  type Position,
  type SourceMapper,
  type Walker,
} from './builtPosition.ts';
import {
  CONFIG_ERRORS,
  EDITS_FOR_MOVE,
  type FilesArguments,
  type MoveArguments,
  NOT_LOADED,
  OWN_MOVE,
  SEEN_AS_BUILT,
  UNRESOLVED,
  type UnresolvedImport,
} from './commands.ts';
import { configErrors, type Diagnostic, type Parser } from './configErrors.ts';
import { type Program, unresolvedImports } from './unresolved.ts';

interface Request {
  arguments: MoveArguments & FilesArguments;
}
interface Response {
  response: unknown;
  responseRequired: true;
}

interface Session {
  addProtocolHandler(command: string, handler: (request: Request) => Response): void;
  /** Private; what the request of that name runs. A request cannot be sent while another is handled. */
  getEditsForFileRename(paths: MoveArguments, isSimple: true): unknown;
}
type EditsForFileRename = (from: string, to: string, ...rest: unknown[]) => readonly unknown[];
interface Span {
  start: number;
}
interface Implementation {
  fileName: string;
  textSpan: Span;
}
interface Caller {
  from: { file: string; selectionSpan: Span };
}
interface LanguageService {
  getCompilerOptionsDiagnostics(): readonly Diagnostic[];
  getProgram(): (Program & CheckedProgram) | undefined;
  getEditsForFileRename: EditsForFileRename;
  getImplementationAtPosition(file: string, at: number): readonly Implementation[] | undefined;
  provideCallHierarchyIncomingCalls(file: string, at: number): readonly Caller[];
  /** Private. */
  getSourceMapper?(): SourceMapper;
}
interface Project {
  /** 0 to 2 are those of code; others only offer names for imports, and have no language service. */
  projectKind: number;
  getLanguageService(): LanguageService;
  containsFile(file: string): boolean;
  projectService: ProjectService;
}
interface ProjectService {
  getScriptInfo(file: string): { containingProjects: readonly Project[] } | undefined;
  findProject(configuration: string): Project | undefined;
}
interface TypeScript extends Parser, Walker {
  sys: Parser['sys'] & Walker['sys'];
  server: { toNormalizedPath(path: string): string };
}

/** How long a move may take that was announced, in milliseconds: other extensions may hold it up. */
const MOVE_TIMEOUT_MS = 300_000;

// TypeScript calls the function below for each project: what they share is out here.
const sessions = new WeakSet<Session>();
/** Announced moves, as paths that TypeScript has normalized. */
const own = new Set<string>();
/** Whether all projects are being asked. */
let isAskingAll = false;

/** The projects of code with a file. */
const projectsWith = (file: string, service: ProjectService): Project[] =>
  service.getScriptInfo(file)?.containingProjects.filter((one) => one.projectKind <= 2) ?? [];

type Ask<T> = (service: LanguageService, file: string, at: number) => readonly T[] | undefined;
interface Answer {
  file: string;
  start: number;
}

/** What the language services of all projects with a file answer about a place, each once; and those with what is built from it. */
function inAll<T>(
  place: Position,
  { projectService }: Project,
  ask: Ask<T>,
  whereOf: (answer: T) => Answer,
): T[] {
  const servicesOf = ({ fileName }: Position) =>
    projectsWith(fileName, projectService)
      .map((one) => one.getLanguageService())
      .filter((service) => service.getProgram()?.getSourceFile(fileName)); // it may have left with the update
  const found = new Map<string, T>();
  const collect = (at: Position, isBuilt: boolean) => {
    for (const service of servicesOf(at))
      for (const one of ask(service, at.fileName, at.pos) ?? []) {
        const { file, start } = whereOf(one);
        if (!(isBuilt && /\.d\.[cm]?ts$/.test(file))) found.set(`${file}:${start}`, one);
      }
  };
  isAskingAll = true;
  try {
    collect(place, false);
    const built = servicesOf(place).map((one) => one.getSourceMapper?.().tryGetGeneratedPosition(place));
    const first = built.find((one) => one !== undefined);
    if (first) collect(first, true);
  } catch (error) {
    if (found.size === 0) throw error; // what is private may change
  } finally {
    isAskingAll = false;
  }
  return [...found.values()];
}

export default function plugin({ typescript }: { typescript: TypeScript }) {
  const { server } = typescript;
  const keyOf = (from: string, to: string) =>
    `${server.toNormalizedPath(from)}\n${server.toNormalizedPath(to)}`;

  const serve = (session: Session, { projectService }: Project) => {
    sessions.add(session);
    session.addProtocolHandler(NOT_LOADED, ({ arguments: { files } }) => ({
      response: files.filter((file) => projectsWith(file, projectService).length === 0),
      responseRequired: true,
    }));
    session.addProtocolHandler(SEEN_AS_BUILT, ({ arguments: { files } }) => {
      const [source = '', ...users] = files;
      const isAsBuilt = (file: string) => {
        const projects = projectsWith(file, projectService);
        return projects.length > 0 && !projects.some((one) => one.containsFile(source));
      };
      return { response: users.filter(isAsBuilt), responseRequired: true };
    });
    session.addProtocolHandler(UNRESOLVED, ({ arguments: { files } }) => {
      const response = files.flatMap((file) => {
        const all = projectsWith(file, projectService).map((one) =>
          unresolvedImports(file, one.getLanguageService().getProgram()),
        );
        const isInAll = ({ specifier }: UnresolvedImport) =>
          all.every((found) => found.some((one) => one.specifier === specifier));
        return all[0]?.filter(isInAll) ?? [];
      });
      return { response, responseRequired: true };
    });
    session.addProtocolHandler(CONFIG_ERRORS, ({ arguments: { files } }) => {
      const path = server.toNormalizedPath(files[0] ?? '');
      const service = projectService.findProject(path)?.getLanguageService();
      const response = configErrors(typescript, path, service?.getCompilerOptionsDiagnostics() ?? []);
      return { response, responseRequired: true };
    });
    session.addProtocolHandler(EDITS_FOR_MOVE, (request) => ({
      response: session.getEditsForFileRename(request.arguments, true),
      responseRequired: true,
    }));
    session.addProtocolHandler(OWN_MOVE, ({ arguments: { oldFilePath, newFilePath } }) => {
      const key = keyOf(oldFilePath, newFilePath);
      own.add(key);
      clock.after(MOVE_TIMEOUT_MS, () => own.delete(key), true);
      return { response: true, responseRequired: true };
    });
  };

  return {
    create({ languageService, project, session }: Created) {
      if (session && !sessions.has(session)) serve(session, project);
      const getEditsForFileRename: EditsForFileRename = (from, to, ...rest) => {
        const key = keyOf(from, to);
        if (!own.has(key)) return languageService.getEditsForFileRename(from, to, ...rest);
        clock.after(0, () => own.delete(key)); // all projects are asked at once
        return [];
      };
      const asked =
        <T>(ask: Ask<T>, whereOf: (answer: T) => Answer) =>
        (file: string, at: number) =>
          isAskingAll
            ? [...(ask(languageService, file, at) ?? [])]
            : inAll({ fileName: file, pos: at }, project, ask, whereOf);
      const getImplementationAtPosition = asked(
        (service, file, at) => service.getImplementationAtPosition(file, at),
        ({ fileName, textSpan }) => ({ file: fileName, start: textSpan.start }),
      );
      const provideCallHierarchyIncomingCalls = asked(
        (service, file, at) => service.provideCallHierarchyIncomingCalls(file, at),
        ({ from }) => ({ file: from.file, start: from.selectionSpan.start }),
      );
      const mapper = languageService.getSourceMapper?.();
      const getNameMapper = () =>
        mapper && nameMapper(mapper, namesIn(typescript, languageService.getProgram()));
      return {
        ...languageService,
        ...(mapper && { getSourceMapper: getNameMapper as () => SourceMapper }),
        getEditsForFileRename,
        getImplementationAtPosition,
        provideCallHierarchyIncomingCalls,
      };
    },
  };
}

interface Created {
  languageService: LanguageService;
  project: Project;
  session?: Session;
}
