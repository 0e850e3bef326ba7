import type { Project } from '../projects.ts';

const SHAPE = 'shape/shape.go';
const MAIN = 'cmd/app/main.go';

export const go: Project = {
  clean: [SHAPE, MAIN],
  broken: ['broken/broken.go'],
  folder: 'broken',
  outline: { path: SHAPE, lines: [/7-10 interface Shape/, /58-66 function Largest/] },
  function: {
    name: 'Largest',
    path: SHAPE,
    first: 58,
    last: 66,
    callers: [`${MAIN}:12`, 'shape/shape_test.go:7'],
  },
  declared: {
    names: ['Square/Area', 'Square.Area', '(*Square).Area'],
    path: SHAPE,
    lines: ['27: func (s *Square) Area'],
  },
  caller: { path: MAIN, name: 'main', to: [`${SHAPE}:53`, `${SHAPE}:58`, `${SHAPE}:69`] },
  variable: { at: `${MAIN}:11`, name: 'tile', to: [`${SHAPE}:32`] },
  method: { at: `${SHAPE}:8`, name: 'Area', to: [`${SHAPE}:27`] },
  type: { path: SHAPE, name: 'Shape', to: [`${SHAPE}:22`, `${SHAPE}:32`] },
  subtype: { path: SHAPE, name: 'Square', to: [`${SHAPE}:7`] },
  unformatted: 'broken/broken.go',
  fix: { path: 'broken/broken.go', action: /quickfix/ },
  completion: { at: `${MAIN}:12`, text: 'fmt.Println(shape.', offers: 'Largest' },
  signature: { at: `${MAIN}:12`, text: 'shape.Largest(', offers: 'Largest(items' },
  move: { source: 'shape', destination: 'figure', importers: ['broken/broken.go:3', `${MAIN}:6`] },
  wrong: {
    path: SHAPE,
    oldText: 'func Describe(s Shape) string',
    newText: 'func Describe(s Shape, more int) string',
    breaks: MAIN,
  },
  right: { path: SHAPE, oldText: 'best := items[0]', newText: 'best := items[len(items)-1]' },
};
