import type { Project } from '../projects.ts';

const TEXT = 'lib/text.sh';

export const shell: Project = {
  clean: ['main.sh'],
  broken: ['broken.sh'],
  folder: '.',
  outline: { path: TEXT, lines: [/6-9 function bracket/, /11-13 function shout/] },
  function: {
    name: 'bracket',
    path: TEXT,
    first: 6,
    last: 9,
    callers: ['broken.sh:6', `${TEXT}:12`, 'main.sh:8'],
  },
  declared: { names: ['shout'], path: TEXT, lines: ['11: function shout'] },
  caller: { path: 'main.sh', name: 'greet', to: [`${TEXT}:6`, `${TEXT}:11`] },
  unformatted: 'main.sh',
  fix: { path: 'broken.sh', action: /quickfix/ },
  completion: { at: 'main.sh:8', text: '  br', offers: 'bracket' },
  move: { source: TEXT, destination: 'lib/words.sh', importers: ['broken.sh:2', 'main.sh:4'] },
  right: { path: TEXT, oldText: 'echo "[', newText: 'printf "[' },
};
