/** Calls and bytes of eight tasks on a real code base: by these tools, and by a file server's. */
import { textsOf, writeZod } from '../code/zod.ts';
import { inScratch } from '../places.ts';
import { stage } from '../stage.ts';
import { openWindow } from '../window.ts';
import { FileAgent } from './fileAgent.ts';
import { Meter, type Tally } from './meter.ts';
import { TASKS, type Task } from './tasks.ts';
import { compareUses } from './uses.ts';

export interface EconomyRow {
  title: string;
  /** Undefined if this version lacks the tool. */
  ours: Tally | undefined;
  files: Tally;
  /** The part of `files` that was read in an earlier task too. */
  again: Tally;
  /** Lines that contain the name and are no use of the symbol. */
  falseHits: number | undefined;
}

export const economyFigures = (): Promise<EconomyRow[]> =>
  inScratch(async (at) => {
    for (const name of ['workspace', 'peer']) writeZod(at(name));
    stage("opening zod's sources");
    const window = await openWindow(at, at('peer'));
    const clients = await window.connect('ours', 'floor', 'peer');
    const [agent, peer] = [new Meter(clients.ours), new Meter(clients.peer)];
    const tools = (await clients.ours.request('tools/list', {})).toString();
    const rows: EconomyRow[] = [];
    const seen = new Set<string>();
    for (const task of TASKS) {
      stage(task.title);
      const hasTool = !task.needs || tools.includes(`"name":"${task.needs}"`);
      const files = new FileAgent(peer, textsOf(at('peer')), seen);
      rows.push(await measured(task, agent, hasTool, files));
    }
    await window.close();
    return rows;
  });

async function measured(task: Task, agent: Meter, hasTool: boolean, files: FileAgent): Promise<EconomyRow> {
  const { title, symbol } = task;
  const uses = symbol && (await compareUses(agent, symbol, files.texts));
  agent.take(); // that was no part of the task
  if (hasTool) await task.ours(agent);
  await task.files(files, uses?.files ?? new Set());
  return { title, ours: hasTool ? agent.take() : undefined, ...files.take(), falseHits: uses?.falseHits };
}
