/**
 * `npm run release-notes -- vX.Y.Z`: prints what CHANGELOG.md says about that version, and fails where the tag, package.json
 * and CHANGELOG.md do not agree.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const read = (name: string) => readFileSync(join(import.meta.dirname, '..', name), 'utf8');

/** @throws Error where the tag is of another version, or the changelog has nothing about it */
export function releaseNotes(tag: string, version: string, changelog: string): string {
  if (tag !== `v${version}`) throw new Error(`The tag ${tag} does not fit: package.json has ${version}.`);
  const section = changelog.split(/^## /m).find((text) => /^\S+/.exec(text)?.[0] === version);
  const notes = section?.replace(/^.*\n/, '').trim();
  if (!notes) throw new Error(`CHANGELOG.md has no section "## ${version}", or nothing in it.`);
  return notes;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  try {
    const [tag] = process.argv.slice(2);
    if (!tag) throw new Error('Usage: npm run release-notes -- vX.Y.Z');
    console.log(releaseNotes(tag, JSON.parse(read('package.json')).version, read('CHANGELOG.md')));
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  }
}
