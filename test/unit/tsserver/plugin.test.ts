import assert from 'node:assert/strict';
import { EDITS_FOR_MOVE, OWN_MOVE } from '../../../src/tsserver/commands.ts';
import plugin from '../../../src/tsserver/plugin.ts';
import { holdClock } from '../../fakes/clock.ts';

interface Paths {
  oldFilePath: string;
  newFilePath: string;
}
type Handler = (request: { arguments: Paths }) => unknown;

/** A server with two projects, each of which has one edit for each move. */
function server() {
  const handlers = new Map<string, Handler>();
  const typescript = { server: { toNormalizedPath: (path: string) => path.replaceAll('\\', '/') } };
  const projects: { getEditsForFileRename(from: string, to: string): readonly unknown[] }[] = [];
  const session = {
    addProtocolHandler(command: string, handler: Handler) {
      assert.ok(!handlers.has(command), 'TypeScript takes a handler once');
      handlers.set(command, handler);
    },
    getEditsForFileRename: ({ oldFilePath, newFilePath }: Paths): unknown[] =>
      projects.flatMap((one) => one.getEditsForFileRename(oldFilePath, newFilePath)),
  };
  const languageService = { getEditsForFileRename: (from: string, to: string) => [`${from} > ${to}`] };
  for (const _ of [1, 2]) projects.push(plugin({ typescript }).create({ languageService, session }));
  const request = (command: string, oldFilePath: string, newFilePath: string) =>
    handlers.get(command)?.({ arguments: { oldFilePath, newFilePath } });
  return { request, renamed: session.getEditsForFileRename };
}

describe('tsserver/plugin', () => {
  const clock = holdClock();

  it('tells the edits for a move, of all projects', () =>
    assert.deepEqual(server().request(EDITS_FOR_MOVE, '/a.ts', '/b.ts'), {
      response: ['/a.ts > /b.ts', '/a.ts > /b.ts'],
      responseRequired: true,
    }));

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
