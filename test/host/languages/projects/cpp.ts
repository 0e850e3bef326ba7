import type { Project } from '../projects.ts';

const SHAPES = 'include/shapes.hpp';

export const cpp: Project = {
  clean: [SHAPES, 'src/use_shapes.cpp', 'c/use_text.c'],
  broken: ['src/broken.cpp', 'c/broken.c'],
  folder: 'c',
  outline: {
    path: SHAPES,
    lines: [/10-56 namespace geo$/m, /13-23 class Shape/, /45-51 function largest/, /5 macro SHAPE_LIMIT/],
  },
  function: {
    name: 'Text_Length',
    path: 'c/text.c',
    first: 12,
    last: 15,
    callers: ['c/broken.c:7', 'c/use_text.c:6'],
  },
  declaration: 'c/text.h:18',
  declared: {
    names: ['Shape/scale[2]', 'Shape::scale[2]', 'geo::Shape::scale[2]'],
    path: 'src/shapes.cpp',
    lines: ['11: double Shape::scale', '19:   double scale'],
  },
  caller: { path: 'c/use_text.c', name: 'use_text', to: ['c/text.c:7', 'c/text.c:12', 'c/text.c:17'] },
  variable: { at: 'src/use_shapes.cpp:11', name: 'square', to: [`${SHAPES}:31`] },
  method: { at: `${SHAPES}:16`, name: 'area', to: [`${SHAPES}:28`, `${SHAPES}:34`] },
  type: { path: SHAPES, name: 'Shape', to: [`${SHAPES}:25`, `${SHAPES}:31`] },
  subtype: { path: SHAPES, name: 'Square', to: [`${SHAPES}:13`] },
  unformatted: 'src/use_shapes.cpp',
  fix: { path: 'c/broken.c', action: /quickfix/ },
  completion: { at: 'src/use_shapes.cpp:6', text: 'return s.', offers: 'scale' },
  signature: { at: 'c/use_text.c:6', text: 'Text_Length(', offers: 'Text_Length(const Text *text)' },
  move: {
    source: 'c/text.h',
    destination: 'c/words.h',
    importers: ['c/broken.c:1', 'c/text.c:1', 'c/use_text.c:1'],
  },
  wrong: { path: SHAPES, oldText: 'T largest(', newText: 'T biggest(', breaks: 'src/use_shapes.cpp' },
  right: { path: SHAPES, oldText: 'T best = values[0];', newText: 'T best = values.front();' },
};
