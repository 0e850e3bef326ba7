import type { Fields } from '../../core/json.ts';
import type { FoundServer, Hosted } from '../../hosting/index.ts';
import type { RowLook } from '../treeItem.ts';

/** A row about hosted servers, and the argument of its commands. The code that makes it is loaded only if there are servers. */
export interface ServerRow {
  kind: 'hosting';
  look: RowLook;
  children?(): ServerRow[];
  server?: Hosted;
  /** One that is not hosted. */
  found?: FoundServer;
  /** A tool of the server, as it lists it. */
  tool?: Fields;
}

/** The row whose action was clicked; undefined if a command was called from elsewhere. */
export const serverRow = (place: unknown): ServerRow | undefined =>
  (place as Partial<ServerRow> | undefined)?.kind === 'hosting' ? (place as ServerRow) : undefined;
