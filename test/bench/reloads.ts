/** What a reload of the window costs: the extension that starts anew, and the agent that asks meanwhile. */
import { until } from '../host/agent.ts';
import { atMost } from './aims.ts';
import { Client } from './client.ts';
import { stage } from './stage.ts';
import type { Row } from './table.ts';
import type { Activation, BenchWindow } from './window.ts';

const TIMES = 7;

/** New extension hosts, one for each sample. */
export async function reloads(window: BenchWindow): Promise<Row[]> {
  const agent = new Client(window.program('ours'));
  await agent.initialize();
  const samples: (Activation & { wait: number })[] = [];
  for (let times = 1; times <= TIMES; times++) {
    stage(`reload, ${times} of ${TIMES}`);
    samples.push(await reload(window, agent));
  }
  await agent.close();
  const all = (name: 'clock' | 'busy' | 'wait') => ({ ours: samples.map((one) => one[name]) });
  return [
    {
      measure: "window's return → the agent's next answer",
      unit: 'ms',
      samples: all('wait'),
      aim: atMost(150),
    },
    { measure: 'activation, by the clock', unit: 'ms', samples: all('clock'), aim: atMost(10) },
    { measure: 'activation, on the processor', unit: 'ms', samples: all('busy'), aim: atMost(10) },
  ];
}

/** `wait`: milliseconds from the window's listening until a call is answered that was made while it was away. */
async function reload(window: BenchWindow, agent: Client): Promise<Activation & { wait: number }> {
  const token = window.record()?.token;
  const reloading = window.reload();
  await until('the window to go', () => window.record()?.token !== token || undefined);
  await agent.request('tools/call', { name: 'read_file', arguments: { path: '1kb.txt', endLine: 1 } });
  const answered = Date.now();
  const activation = await reloading;
  return { ...activation, wait: answered - (window.record()?.startedAt ?? 0) };
}
