/**
 * A plugin of TypeScript's server. VS Code's TypeScript extension updates imports, or asks with a dialog, once a file was moved, and
 * lets no other extension ask for these edits. With this plugin the server tells them before the move, and then has none for its own
 * extension, which stays silent.
 */

import { clock } from '../util/clock.ts';
import { EDITS_FOR_MOVE, type MoveArguments, OWN_MOVE } from './commands.ts';

interface Request {
  arguments: MoveArguments;
}
interface Answer {
  response: unknown;
  responseRequired: true;
}

interface Session {
  addProtocolHandler(command: string, handler: (request: Request) => Answer): void;
  /** Private; what the request of that name runs. A request cannot be sent while another is handled. */
  getEditsForFileRename(paths: MoveArguments, isSimple: true): unknown;
}
type EditsForFileRename = (from: string, to: string, ...rest: unknown[]) => readonly unknown[];
interface LanguageService {
  getEditsForFileRename: EditsForFileRename;
}
interface TypeScript {
  server: { toNormalizedPath(path: string): string };
}

/** How long a move may take that was announced, in milliseconds: other extensions may hold it up. */
const PATIENCE = 300_000;

// TypeScript calls the function below for each project: what they share is out here.
const sessions = new WeakSet<Session>();
/** Announced moves, as paths that TypeScript has normalized. */
const own = new Set<string>();

export default function plugin({ typescript: { server } }: { typescript: TypeScript }) {
  const keyOf = (from: string, to: string) =>
    `${server.toNormalizedPath(from)}\n${server.toNormalizedPath(to)}`;

  const serve = (session: Session) => {
    sessions.add(session);
    session.addProtocolHandler(EDITS_FOR_MOVE, (request) => ({
      response: session.getEditsForFileRename(request.arguments, true),
      responseRequired: true,
    }));
    session.addProtocolHandler(OWN_MOVE, ({ arguments: { oldFilePath, newFilePath } }) => {
      const key = keyOf(oldFilePath, newFilePath);
      own.add(key);
      clock.after(PATIENCE, () => own.delete(key), true);
      return { response: true, responseRequired: true };
    });
  };

  return {
    create({ languageService, session }: { languageService: LanguageService; session?: Session }) {
      if (session && !sessions.has(session)) serve(session);
      const getEditsForFileRename: EditsForFileRename = (from, to, ...rest) => {
        const key = keyOf(from, to);
        if (!own.has(key)) return languageService.getEditsForFileRename(from, to, ...rest);
        clock.after(0, () => own.delete(key)); // all projects are asked at once
        return [];
      };
      return { ...languageService, getEditsForFileRename };
    },
  };
}
