import assert from 'node:assert/strict';
import type { Machine } from '../../../src/agents/program.ts';
import { agentPrograms } from '../../../src/agents/programs.ts';

const l10n = { t: String };
const linux: Machine = {
  platform: 'linux',
  env: {},
  home: '/home/me',
  folder: '/home/me/app',
  userData: '/home/me/.config/Code/User',
  l10n,
};
const mac: Machine = {
  ...linux,
  platform: 'darwin',
  home: '/Users/me',
  folder: '/Users/me/app',
  userData: '/Users/me/Library/Application Support/Code/User',
};
const windows: Machine = {
  ...linux,
  platform: 'win32',
  env: { APPDATA: 'C:\\Users\\me\\AppData\\Roaming' },
  home: 'C:\\Users\\me',
  folder: 'C:\\Users\\me\\app',
  userData: 'C:\\Users\\me\\AppData\\Roaming\\Code\\User',
};

/** The file that would be made, in each place of an agent. */
const filesOf = (id: string, machine: Machine) =>
  agentPrograms
    .find((program) => program.id === id)
    ?.places.flatMap(({ files }) => files(machine).at(-1) ?? []);

describe('agents/programs', () => {
  it('each has another id and name', () => {
    for (const field of ['id', 'name'] as const)
      assert.equal(new Set(agentPrograms.map((program) => program[field])).size, agentPrograms.length);
  });

  it('opencode', () => {
    assert.deepEqual(filesOf('opencode', linux), [
      '/home/me/.config/opencode/opencode.json',
      '/home/me/app/opencode.json',
    ]);
    assert.deepEqual(filesOf('opencode', mac)?.[0], '/Users/me/.config/opencode/opencode.json');
    assert.deepEqual(filesOf('opencode', windows)?.[0], 'C:\\Users\\me\\.config\\opencode\\opencode.json');
  });
});
