import type { Project } from '../projects.ts';

const SHAPES = 'src/shop/shapes.py';
const USE = 'src/shop/use.py';

export const python: Project = {
  clean: [SHAPES, USE],
  broken: ['src/shop/broken.py'],
  notebook: 'src/cells.ipynb',
  folder: 'src',
  outline: {
    path: SHAPES,
    lines: [/18-34 class Shape$/m, / {4}33-34 method sides$/m, /64-75 function describe$/m],
  },
  function: { name: 'describe', path: SHAPES, first: 64, last: 75, callers: [`${USE}:7`] },
  declared: {
    names: ['Square/convert', 'Square.convert'],
    path: SHAPES,
    lines: ['42:     def convert', '45:     def convert', '47:     def convert'],
  },
  caller: { path: USE, name: 'count', to: [`${SHAPES}:38`, `${SHAPES}:52`] },
  variable: { at: `${USE}:4`, name: 'square', to: [`${SHAPES}:37`] },
  method: { at: `${SHAPES}:34`, name: 'sides', to: [`${SHAPES}:38`, `${SHAPES}:52`] },
  type: { path: SHAPES, name: 'Shape', to: [`${SHAPES}:37`] },
  subtype: { path: SHAPES, name: 'Square', to: [`${SHAPES}:18`] },
  unformatted: SHAPES,
  fix: { path: 'src/shop/broken.py', action: /quickfix/ },
  completion: { at: `${USE}:6`, text: 'print(square.', offers: 'convert' },
  signature: { at: `${USE}:7`, text: 'print(describe(', offers: 'shape: Shape' },
  move: {
    source: SHAPES,
    destination: 'src/shop/figures.py',
    importers: ['src/shop/broken.py:2', `${USE}:1`, `${USE}:2`, 'tests/test_shapes.py:1'],
  },
  wrong: { path: SHAPES, oldText: 'class Big(', newText: 'class Bigger(', breaks: USE },
  right: { path: SHAPES, oldText: 'return 4', newText: 'return 5' },
};
