/** What is in the projects of `workspace`, a folder for each language. */
export interface Project {
  /** Files without and with problems. */
  clean: readonly string[];
  broken: readonly string[];
  /** A file, and lines of its outline. */
  outline: { path: string; lines: readonly RegExp[] };
  /** A symbol and its file: the code of the project has its name for nothing else. */
  used: { name: string; path: string };
}

const PROJECTS: Readonly<Record<string, Project>> = {
  python: {
    clean: ['src/shop/shapes.py', 'src/shop/use.py'],
    broken: ['src/shop/broken.py'],
    outline: {
      path: 'src/shop/shapes.py',
      lines: [/18-34 class Shape$/m, / {4}33-34 method sides$/m, /64-75 function describe$/m],
    },
    used: { name: 'describe', path: 'src/shop/shapes.py' },
  },
  cpp: {
    clean: ['include/shapes.hpp', 'src/use_shapes.cpp', 'c/use_text.c'],
    broken: ['src/broken.cpp', 'c/broken.c'],
    outline: {
      path: 'include/shapes.hpp',
      lines: [/10-56 namespace geo$/m, /13-23 class Shape/, /46-51 function largest/],
    },
    used: { name: 'Text_Length', path: 'c/text.c' },
  },
  go: {
    clean: ['shape/shape.go', 'cmd/app/main.go'],
    broken: ['broken/broken.go'],
    outline: { path: 'shape/shape.go', lines: [/7-10 interface Shape/, /58-66 function Largest/] },
    used: { name: 'Largest', path: 'shape/shape.go' },
  },
  php: {
    clean: ['src/Square.php'],
    broken: ['src/broken.php'],
    outline: { path: 'src/Shape.php', lines: [/5-23 class Shape/, /12-15 constructor __construct/] },
    used: { name: 'describe', path: 'src/Describes.php' },
  },
  shell: {
    clean: ['main.sh'],
    broken: ['broken.sh'],
    outline: { path: 'lib/text.sh', lines: [/6-9 function bracket/, /11-13 function shout/] },
    used: { name: 'bracket', path: 'lib/text.sh' },
  },
};

export function projectOf(language: string): Project {
  const project = PROJECTS[language];
  if (!project) throw new Error(`There is no project of ${language}.`);
  return project;
}
