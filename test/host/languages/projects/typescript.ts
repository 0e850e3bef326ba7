import type { Project } from '../projects.ts';

export const typescript: Project = {
  clean: ['src/shapes.ts', 'src/use.ts'],
  broken: ['src/broken.ts'],
  folder: 'src',
  outline: {
    path: 'src/shapes.ts',
    lines: [/1-3 interface Shape/, /5-11 class Square/, /14-16 function largest/],
  },
  function: { name: 'largest', path: 'src/shapes.ts', first: 14, last: 16, callers: ['src/use.ts:6'] },
  declared: { names: ['Square/area', 'Square.area'], path: 'src/shapes.ts', lines: ['8:   area(): number'] },
  caller: { path: 'src/use.ts', name: 'show', to: ['src/shapes.ts:2', 'src/shapes.ts:14'] },
  variable: { at: 'src/use.ts:3', name: 'square', to: ['src/shapes.ts:5'] },
  method: { at: 'src/shapes.ts:2', name: 'area', to: ['src/shapes.ts:8'] },
  type: { path: 'src/shapes.ts', name: 'Shape', to: ['src/shapes.ts:5'] },
  subtype: { path: 'src/shapes.ts', name: 'Square', to: ['src/shapes.ts:1'] },
  unformatted: 'src/broken.ts',
  fix: { path: 'src/broken.ts', action: /quickfix/ },
  completion: { at: 'src/use.ts:6', text: 'new Square(3)).', offers: 'area' },
  signature: { at: 'src/use.ts:6', text: '{largest(', offers: 'largest(' },
  move: {
    source: 'src/shapes.ts',
    destination: 'src/figures.ts',
    importers: ['src/broken.ts:1', 'src/use.ts:1'],
  },
  wrong: {
    path: 'src/shapes.ts',
    oldText: 'export function largest(',
    newText: 'export function biggest(',
    breaks: 'src/use.ts',
  },
  right: { path: 'src/shapes.ts', oldText: 'shape.area() > best', newText: 'shape.area() >= best' },
};
