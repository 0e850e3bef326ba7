import { openDefinition } from './openDefinition.ts';
import { type ServerRow, serverRow } from './serverRow.ts';
import type { Servers } from './servers.ts';

const commands = {
  approveServer: (servers: Servers, { server }: ServerRow) => server && servers.approve(server),
  hostServer: (servers: Servers, { found }: ServerRow) => servers.host(found),
  startHostedServer: (servers: Servers, { server }: ServerRow) => server && servers.start(server),
  signInToServer: (servers: Servers, { server }: ServerRow) => server && servers.signIn(server),
  stopHostedServer: (_: Servers, { server }: ServerRow) => server?.runs.stop(),
  restartHostedServer: (servers: Servers, { server }: ServerRow) => server && servers.start(server),
  editServer: (_: Servers, { server, found = server?.server }: ServerRow) => found && openDefinition(found),
  removeServer: (servers: Servers, { server }: ServerRow) => server && servers.remove(server),
  showServerLog: (servers: Servers, { server }: ServerRow) => server && servers.showLog(server),
  reviewServerTool: (servers: Servers, row: ServerRow) => servers.reviewTool(row),
};

type Run = (place?: unknown) => Promise<void>;

/** The actions of servers' rows, by the names of the commands; each gets its row. */
export const serverCommands = (servers: () => Promise<Servers>) =>
  Object.fromEntries(
    Object.entries(commands).map(([name, run]): [string, Run] => [
      name,
      async (place) => {
        const row = serverRow(place);
        if (row) await run(await servers(), row);
      },
    ]),
  ) as Record<keyof typeof commands, Run>;
