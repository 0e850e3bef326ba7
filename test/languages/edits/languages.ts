import { dirname, join } from 'node:path';
import { ensureFromDebian, unpackFromDebian } from '../../host/headless/debian.ts';
import { ensurePackage } from '../../packages.ts';
import * as bodies from './bodies.ts';
import type { Sources } from './check.ts';
import * as judges from './judges.ts';
import { filesIn, goLibrary, pythonLibrary } from './sources.ts';

const NO_TESTS = /test/i;

async function c(): Promise<Sources[]> {
  const clang = await ensureFromDebian(['clang', 'clang-14', 'clang-16', 'clang-19'], 'clang', console.error);
  const lmdb = await ensurePackage('lmdb', '2.8.5');
  const usb = await ensurePackage('usb', '1.9.2');
  const level = join(await ensurePackage('leveldown', '6.1.1'), 'deps/leveldb/leveldb-1.20');
  const addons = await ensurePackage('node-addon-api', '8.5.0');
  const json = await unpackFromDebian('libcjson-dev');
  const libusb = join(usb, 'libusb/libusb');
  const foreign = /test|darwin|sunos|windows|wince|haiku|netbsd|openbsd|\bv8/;
  const flags = { c: ['-xc', `-I${libusb}`], cpp: ['-xc++', `-I${level}`, `-I${level}/include`] };
  const common = (language: 'c' | 'cpp') => ({
    language,
    options: { fallbackFlags: flags[language] },
    bodyFor: bodies.c,
    judge: judges.clang(clang, (path) => [...flags[language], `-I${dirname(path)}`], `.${language}`),
  });
  return [
    {
      ...common('c'),
      root: lmdb,
      paths: [
        ...filesIn(json, /\.h$/, foreign, 1),
        ...filesIn(join(lmdb, 'dependencies'), /\.[ch]$/, foreign, 6),
        ...filesIn(libusb, /\.[ch]$/, foreign, 6),
      ],
    },
    {
      ...common('cpp'),
      root: level,
      paths: [...filesIn(level, /\.(cc|h)$/, NO_TESTS, 20), ...filesIn(addons, /\.h$/, NO_TESTS, 2)],
    },
  ];
}

/** What is edited, by the names of `serversOf`. */
export const SOURCES: Readonly<Record<string, () => Promise<Sources[]>>> = {
  python: async () => {
    const root = pythonLibrary();
    const paths = filesIn(root, /\.py$/, /test|site-packages|idlelib/, 20);
    return [{ language: 'python', root, paths, judge: judges.python, bodyFor: bodies.python }];
  },
  cpp: c,
  go: async () => {
    const root = goLibrary();
    const paths = filesIn(root, /\.go$/, /testdata|_test/, 25);
    return [{ language: 'go', root, paths, judge: judges.go, bodyFor: bodies.go }];
  },
  php: async () => {
    const root = await unpackFromDebian('composer');
    const paths = filesIn(root, /\.php$/, NO_TESTS, 30);
    return [{ language: 'php', root, paths, judge: judges.php, bodyFor: bodies.php }];
  },
  shell: async () => {
    const root = await unpackFromDebian('bash-completion');
    const paths = filesIn(join(root, 'usr/share/bash-completion'), /completions\/|_completion/, /\.py$/, 60);
    return [{ language: 'shellscript', root, paths, judge: judges.bash, bodyFor: bodies.bash }];
  },
};
