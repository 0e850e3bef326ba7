import { text } from 'node:stream/consumers';
import { fieldsOf, itemsOf, parsedJson } from '../../core/json.ts';
import { dial } from '../../ipc/dial.ts';
import type { WindowRecord } from '../../ipc/windowRecord.ts';
import { within } from '../../util/clock.ts';
import { type Finding, none, type Section, section } from './report.ts';

/** How long a window may take, in milliseconds: it looks for Node.js first. */
const ANSWER_TIMEOUT = 6_000;

/** What a window knows of agents: their entries and hooks, and when they came last. */
export async function agentsSection(window: WindowRecord | undefined): Promise<Section> {
  const findings = window ? await findingsOf(window).catch(() => []) : [];
  const otherwise = 'Only a window knows which agents have the entry and hooks. None has answered.';
  return section(`Agents${window ? `, as window ${window.id} knows them` : ''}`, findings, none(otherwise));
}

async function findingsOf(window: WindowRecord): Promise<Finding[]> {
  const { socket, enter } = await dial(window);
  try {
    await enter({ purpose: 'doctor' });
    const { findings } = fieldsOf(parsedJson(await within(text(socket), ANSWER_TIMEOUT, '')));
    return itemsOf(findings) as Finding[];
  } finally {
    socket.destroy();
  }
}
