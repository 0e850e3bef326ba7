/** What is in the projects of `workspace`, a folder for each language. */
export interface Project {
  /** Files without and with problems. */
  clean: readonly string[];
  broken: readonly string[];
  /** A file, and lines of its outline. */
  outline: { path: string; lines: readonly RegExp[] };
  /** A symbol and its file: the code of the project has its name for nothing else. */
  used: { name: string; path: string };
  /** Names of a symbol as people write them, its file, and what begins the lines of its declarations. */
  declared: { names: readonly string[]; path: string; lines: readonly string[] };
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
    declared: {
      names: ['Square/convert', 'Square.convert'],
      path: 'src/shop/shapes.py',
      lines: ['42:     def convert', '45:     def convert', '47:     def convert'],
    },
  },
  cpp: {
    clean: ['include/shapes.hpp', 'src/use_shapes.cpp', 'c/use_text.c'],
    broken: ['src/broken.cpp', 'c/broken.c'],
    outline: {
      path: 'include/shapes.hpp',
      lines: [/10-56 namespace geo$/m, /13-23 class Shape/, /45-51 function largest/, /5 macro SHAPE_LIMIT/],
    },
    used: { name: 'Text_Length', path: 'c/text.c' },
    declared: {
      names: ['Shape/scale[2]', 'Shape::scale[2]', 'geo::Shape::scale[2]'],
      path: 'src/shapes.cpp',
      lines: ['11: double Shape::scale', '19:   double scale'],
    },
  },
  go: {
    clean: ['shape/shape.go', 'cmd/app/main.go'],
    broken: ['broken/broken.go'],
    outline: { path: 'shape/shape.go', lines: [/7-10 interface Shape/, /58-66 function Largest/] },
    used: { name: 'Largest', path: 'shape/shape.go' },
    declared: {
      names: ['Square/Area', 'Square.Area', '(*Square).Area'],
      path: 'shape/shape.go',
      lines: ['27: func (s *Square) Area'],
    },
  },
  php: {
    clean: ['src/Square.php'],
    broken: ['src/broken.php'],
    outline: { path: 'src/Shape.php', lines: [/5-23 class Shape/, /12-15 constructor __construct/] },
    used: { name: 'describe', path: 'src/Describes.php' },
    declared: {
      names: ['Square/area', 'Square::area', 'Shop\\Square::area'],
      path: 'src/Square.php',
      lines: ['12:     public function area'],
    },
  },
  shell: {
    clean: ['main.sh'],
    broken: ['broken.sh'],
    outline: { path: 'lib/text.sh', lines: [/6-9 function bracket/, /11-13 function shout/] },
    used: { name: 'bracket', path: 'lib/text.sh' },
    declared: { names: ['shout'], path: 'lib/text.sh', lines: ['11: function shout'] },
  },
};

export function projectOf(language: string): Project {
  const project = PROJECTS[language];
  if (!project) throw new Error(`There is no project of ${language}.`);
  return project;
}
