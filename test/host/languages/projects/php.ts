import type { Project } from '../projects.ts';

const FUNCTIONS = 'src/functions.php';
const USE = 'src/use.php';

export const php: Project = {
  clean: ['src/Square.php', USE],
  broken: ['src/broken.php'],
  folder: 'src',
  outline: { path: 'src/Shape.php', lines: [/5-23 class Shape/, /12-15 constructor __construct/] },
  function: { name: 'total', path: FUNCTIONS, first: 6, last: 13, callers: [`${USE}:12`] },
  declared: {
    names: ['Square/area', 'Square::area', 'Shop\\Square::area'],
    path: 'src/Square.php',
    lines: ['12:     public function area'],
  },
  caller: { path: FUNCTIONS, name: 'total', to: ['src/HasArea.php:9'] },
  variable: { at: `${USE}:11`, name: '$square', to: ['src/Square.php:5'] },
  method: { at: 'src/HasArea.php:9', name: 'area', to: ['src/Square.php:12'] },
  type: { path: 'src/Shape.php', name: 'Shape', to: ['src/Square.php:5'] },
  subtype: { path: 'src/Square.php', name: 'Square', to: ['src/Shape.php:6'] },
  unformatted: USE,
  fix: { path: 'src/broken.php', action: /quickfix/ },
  completion: { at: `${USE}:12`, text: 'echo $square->', offers: 'sides' },
  signature: { at: `${USE}:12`, text: ', total(', offers: 'HasArea ...$shapes' },
  move: {
    source: 'src/Square.php',
    destination: 'src/figures/Square.php',
    importers: ['src/broken.php:5', `${USE}:6`],
  },
  wrong: { path: FUNCTIONS, oldText: 'function total(', newText: 'function sum(', breaks: USE },
  right: { path: FUNCTIONS, oldText: '$sum = 0.0;', newText: '$sum = 1.0;' },
};
