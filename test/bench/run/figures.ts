/** What `run_command` takes longer than the bare start of the same shell. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { atMostMore } from '../aims.ts';
import { Meter } from '../economy/meter.ts';
import { inScratch } from '../places.ts';
import { interleaved, timed } from '../samples.ts';
import { stage } from '../stage.ts';
import { type Row, row } from '../table.ts';
import { openWindow } from '../window.ts';

const ROUNDS = 100;
const WARM_UP = 10;

/** Without a terminal beside it: Copilot's own tool answers in a chat session only. */
export const runFigures = (): Promise<Row[]> =>
  inScratch(async (at) => {
    stage('commands');
    const window = await openWindow(at);
    const { ours } = await window.connect('ours');
    const agent = new Meter(ours);
    const sides = {
      ours: () => timed(() => agent.call('run_command', { command: 'true' })),
      floor: () => timed(() => once(spawn('/bin/sh', ['-c', 'true'], { cwd: window.folder }), 'close')),
    };
    await interleaved(WARM_UP, sides);
    const rows = [
      row(
        '`run_command true`, beside a bare `spawn`',
        'ms',
        await interleaved(ROUNDS, sides),
        atMostMore(30),
      ),
    ];
    await window.close();
    return rows;
  });
