/** Code that others have written, from packages: one base for each server, with a few broken files of ours. */
import { cpSync, globSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ensurePackage } from '../../../packages.ts';
import { unpackFromDebian } from '../../headless/debian.ts';

export interface CodeBase {
  language: string;
  name: string;
  /** Where it comes from, and the folder in there. */
  package: { debian: string } | { npm: readonly [name: string, version: string] };
  folder: string;
  /** Globs of the sources. */
  sources: readonly string[];
  /** Declarations on a line, with the name as the only group. */
  declared: RegExp;
  /** Files that make a project of it, and broken ones, by path. */
  ours: Readonly<Record<string, string>>;
  /** Says how C is compiled, which takes whole paths. */
  isCompiled?: boolean;
  /** The command line finds all errors that the server finds, not only those of the syntax. */
  isJudgeWhole: boolean;
}

export const BASES: readonly CodeBase[] = [
  {
    language: 'python',
    name: 'flask',
    package: { debian: 'python3-flask' },
    folder: 'usr/lib/python3/dist-packages',
    sources: ['flask/**/*.py', 'planted*.py'],
    declared: /^\s*(?:async )?(?:def|class) (\w{4,})/,
    ours: {
      'planted.py': 'from flask import Flask\n\napp = Flask("a")\napp.no_such_method()\n',
      'flask/planted.py': 'from .helpers import no_such_name\n\nnumber: int = "text"\n',
    },
    isJudgeWhole: true,
  },
  {
    language: 'cpp',
    name: 'hiredis',
    package: { npm: ['hiredis', '0.5.0'] },
    folder: 'deps/hiredis',
    sources: ['*.{c,h}'],
    declared: /^[a-z][\w \t*]*[ *](\w{4,})\([^;]*\{\s*$/,
    ours: {
      'planted.c': '#include "hiredis.h"\n\nint planted(redisContext *c) {\n  return c->no_such_field;\n}\n',
    },
    isCompiled: true,
    isJudgeWhole: true,
  },
  {
    language: 'go',
    name: 'mux',
    package: { debian: 'golang-github-gorilla-mux-dev' },
    folder: 'usr/share/gocode/src/github.com/gorilla/mux',
    sources: ['**/*.go'],
    declared: /^(?:func (?:\([^)]*\) )?|type )(\w{4,})/,
    ours: {
      'go.mod': 'module github.com/gorilla/mux\n\ngo 1.19\n',
      'planted/planted.go':
        'package planted\n\nimport "github.com/gorilla/mux"\n\nvar Router *mux.Router = mux.NewRouter(1)\n',
    },
    isJudgeWhole: true,
  },
  {
    language: 'php',
    name: 'guzzle-psr7',
    package: { debian: 'php-guzzlehttp-psr7' },
    folder: 'usr/share/php/GuzzleHttp/Psr7',
    sources: ['**/*.php'],
    declared: /^\s*(?:(?:abstract|final|public|protected|private|static) )*(?:function|class|trait) (\w{4,})/,
    ours: { 'planted.php': "<?php\n\n$stream = new GuzzleHttp\\Psr7\\Stream('a';\n" },
    isJudgeWhole: false,
  },
  {
    language: 'shell',
    name: 'bats',
    package: { debian: 'bats' },
    folder: 'usr',
    sources: ['lib/bats-core/*.bash', 'libexec/bats-core/*', 'planted.sh'],
    declared: /^(?:function )?(\w{4,}) *\(\)/,
    ours: { 'planted.sh': '#!/bin/bash\nplanted() {\n  if true; then\n    echo\n}\n' },
    isJudgeWhole: true,
  },
];

/** Puts a copy of it into a folder. */
export async function copyBase(base: CodeBase, destination: string): Promise<void> {
  const root =
    'npm' in base.package
      ? await ensurePackage(...base.package.npm)
      : await unpackFromDebian(base.package.debian);
  const from = join(root, base.folder);
  for (const path of globSync(base.sources, { cwd: from })) cpSync(join(from, path), join(destination, path));
  for (const [path, text] of Object.entries(base.ours)) {
    mkdirSync(join(destination, path, '..'), { recursive: true });
    writeFileSync(join(destination, path), text);
  }
  if (base.isCompiled)
    writeFileSync(join(destination, 'compile_commands.json'), compilation(base, destination));
}

function compilation(base: CodeBase, directory: string): string {
  const files = sourcesOf(base, directory).filter((file) => file.endsWith('.c'));
  const command = ['gcc', '-std=gnu99', '-c'];
  return JSON.stringify(files.map((file) => ({ directory, file, arguments: [...command, file] })));
}

export const sourcesOf = (base: CodeBase, directory: string): string[] =>
  globSync(base.sources, { cwd: directory }).sort();
