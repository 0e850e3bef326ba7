/** What a reload of the window costs: the extensions that start anew, and the agent that asks meanwhile. */
import { connect } from 'node:net';
import { until } from '../host/agent.ts';
import { atMost } from './aims.ts';
import type { Client } from './client.ts';
import { stage } from './stage.ts';
import { type Row, row } from './table.ts';
import type { Activation, BenchWindow } from './window.ts';

const TIMES = 5;

interface Sample extends Activation {
  /** Milliseconds from the server's listening until the first call is answered. */
  wait: number;
}

/** New extension hosts, one for each sample. */
export async function reloads(window: BenchWindow): Promise<Row[]> {
  const samples: Record<'ours' | 'floor' | 'sdk', Sample[]> = { ours: [], floor: [], sdk: [] };
  const { ours: agent } = await window.connect('ours');
  for (let times = 1; times <= TIMES; times++) {
    stage(`reload, ${times} of ${TIMES}`);
    samples.ours.push(await reload(window, agent));
  }
  await agent.close();
  for (let times = 1; times <= TIMES; times++)
    for (const side of ['floor', 'sdk'] as const) {
      stage(`reload for the ${side}, ${times} of ${TIMES}`);
      samples[side].push(await reloadFor(window, side));
    }
  const all = (name: 'clock' | 'busy' | 'wait') => ({
    ours: samples.ours.map((one) => one[name]),
    floor: samples.floor.map((one) => one[name]),
    ...(name === 'wait' && { sdk: samples.sdk.map((one) => one[name]) }),
  });
  return [
    row("window's return → the agent's next answer", 'ms', all('wait'), atMost(150)),
    row('activation, by the clock', 'ms', all('clock'), atMost(10)),
    row('activation, on the processor', 'ms', all('busy'), atMost(10)),
  ];
}

/** The agent asks while the window is away. */
async function reload(window: BenchWindow, agent: Client): Promise<Sample> {
  const token = window.record()?.token;
  const reloading = window.reload('ours');
  await until('the window to go', () => window.record()?.token !== token || undefined);
  await agent.request('tools/call', { name: 'read_file', arguments: { path: '1kb.txt', endLine: 1 } });
  const answered = Date.now();
  const activation = await reloading;
  return { ...activation, wait: answered - (window.record()?.startedAt ?? 0) };
}

/** One that is there as soon as the server listens. */
async function reloadFor(window: BenchWindow, side: 'floor' | 'sdk'): Promise<Sample> {
  const activation = await window.reload('floor');
  const params = { floor: { bytes: 200 }, sdk: { name: 'echo', arguments: { bytes: 200 } } }[side];
  const clientInfo = { name: 'bench', version: '1' };
  const lines = [
    { id: 1, method: 'initialize', params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo } },
    { method: 'notifications/initialized' },
    { id: 2, method: side === 'sdk' ? 'tools/call' : 'echo', params },
  ];
  const socket = connect(window.socket(side)).setEncoding('utf8');
  for (const line of lines) socket.write(`${JSON.stringify({ jsonrpc: '2.0', ...line })}\n`);
  let text = '';
  for await (const more of socket) {
    text += more;
    if (/"id":2[,}].*\n/.test(text)) break;
  }
  if (!/"xxx/.test(text)) throw new Error(`${side} did not answer with its text: ${text}`);
  return { ...activation, wait: Date.now() - activation.at };
}
