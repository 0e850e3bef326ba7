/**
 * What `shim.js lsp` costs on zod's sources: its process, beside a bare Node with a socket (floor) and the second TypeScript server that
 * a client would start (peer); what the extension host grows by its clients; and a request, beside `lsp_request` of an agent (floor).
 */
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { LspClient } from '../../wire/lspClient.ts';
import { atMost, ofFloor } from '../aims.ts';
import type { Client } from '../client.ts';
import { textsOf, writeZod } from '../code/zod.ts';
import { Meter } from '../economy/meter.ts';
import { inScratch } from '../places.ts';
import { interleaved, median, timed } from '../samples.ts';
import { stage } from '../stage.ts';
import { type Row, row } from '../table.ts';
import { openWindow } from '../window.ts';
import { memoryOf, tsserver } from './processes.ts';

const PATH = 'src/v4/core/util.ts';
const DECLARED = ['export function ', 'aborted('] as const;
const METHOD = 'textDocument/references';

const ROUNDS = 200;
const WARM_UP = 20;
/** Clients after the first: what one of them takes is less than what comes and goes in the extension host by itself. */
const MORE = 10;

export const lspFigures = (): Promise<Row[]> =>
  inScratch(async (at) => {
    stage("opening zod's sources");
    writeZod(at('workspace'));
    const window = await openWindow(at);
    const textDocument = { uri: pathToFileURL(join(window.folder, PATH)).href };
    const text = textsOf(window.folder).get(PATH) ?? '';
    const line = text.slice(0, text.indexOf(DECLARED.join(''))).split('\n').length - 1;
    const position = { line, character: DECLARED[0].length };
    const params = { textDocument, position, context: { includeDeclaration: true } };
    const { floor } = await window.connect('floor');
    const command = {
      command: 'vscode.executeReferenceProvider',
      path: join(window.folder, PATH),
      args: [position],
    };
    for (let round = 0; round < WARM_UP; round++) await floor.request('command', command);

    const { args, env } = window.program('ours');
    const connect = async () => {
      const client = new LspClient(window.folder, env, args[0]);
      await client.initialize([pathToFileURL(window.folder).href]);
      client.opens(textDocument.uri, text);
      for (let round = 0; round < WARM_UP; round++) await ask(client);
      return client;
    };
    const ask = async (client: LspClient) => {
      const found = await client.asks<unknown[] | null>(METHOD, params);
      if (!found?.length) throw new Error('The LSP server has no answer.');
    };
    stage('clients');
    const none = await inUse(floor);
    const first = await connect();
    const one = await inUse(floor);
    const more = [];
    while (more.length < MORE) more.push(await connect());
    const all = await inUse(floor);
    stage('requests');
    const agent = new Meter((await window.connect('ours')).ours);
    const call = () => agent.call('lsp_request', { method: METHOD, params, limit: 1000 });
    const sides = { ours: () => timed(() => ask(first)), floor: () => timed(call) };
    await interleaved(WARM_UP, sides);
    const times = await interleaved(ROUNDS, sides);
    stage('a second TypeScript server');
    const peer = await tsserver(window.program('ours'), command.path);
    const memory = (kind: 'private' | 'resident') => ({
      ours: [memoryOf(first.pid)[kind]],
      floor: [memoryOf(floor.pid)[kind]],
      peer: [memoryOf(peer.pid)[kind]],
    });
    const rows = [
      row(
        `memory of \`shim.js lsp\` after ${2 * WARM_UP + ROUNDS} requests, private`,
        'MiB',
        memory('private'),
        atMost(20),
      ),
      row('its memory, resident', 'MiB', memory('resident')),
      row('in use in the extension host, by the first client', 'MiB', { ours: [one - none] }),
      row(
        'in use in the extension host, by each of ten more',
        'MiB',
        { ours: [(all - one) / MORE] },
        atMost(1),
      ),
      row('references (floor: `lsp_request`)', 'ms', times, ofFloor(1.2)),
    ];
    peer.kill();
    for (const client of [first, ...more]) await client.ends();
    await window.close();
    return rows;
  });

/** MiB in use in the extension host, once the last requests are forgotten. */
async function inUse(floor: Client): Promise<number> {
  const looks: number[] = [];
  while (looks.length < 5) {
    await delay(1_000);
    const { result } = JSON.parse(`${await floor.request('memory', {})}`);
    looks.push(result.bytes / 1024 / 1024);
  }
  return median(looks);
}
