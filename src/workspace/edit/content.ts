import { lstatSync, readFileSync } from 'node:fs';
import type * as vscode from 'vscode';
import { attempt } from '../../core/errors.ts';
import { withLf } from '../../core/text/replacements.ts';
import { isMissing } from '../../util/diskPaths.ts';
import { type Content, type Deed, isNothing, isText } from './journal.ts';

/** Longest file of which a copy is kept, in bytes. */
const MOST_BYTES = 1024 * 1024;

export const NOTHING: Content = { stamp: '' };

export const isSame = (one: Content, other: Content): boolean =>
  'stamp' in one || 'stamp' in other
    ? 'stamp' in one && 'stamp' in other && one.stamp === other.stamp
    : one.equals(other);

/**
 * At once, so that nothing comes in between. Follows no link: it may lead to a file that is not the project's. Never throws.
 *
 * @param path absolute
 */
export function contentOf(path: string): Content {
  try {
    const stats = lstatSync(path);
    const { mtimeMs, size, mode } = stats;
    return stats.isFile() && size <= MOST_BYTES
      ? Object.assign(readFileSync(path), { mode })
      : { stamp: `${mode} ${size} ${mtimeMs}` };
  } catch (error) {
    return isMissing(error as NodeJS.ErrnoException) ? NOTHING : { stamp: `${error}` };
  }
}

/** Changes with each change of what is at a path; empty if nothing is there. */
export function stampOf(path: string): string {
  const { mode, size, mtimeMs, ctimeMs } = attempt(() => lstatSync(path)) ?? {};
  return mode === undefined ? '' : [mode, size, mtimeMs, ctimeMs].join(' ');
}

/** Whether a file is at a path, no folder and no link. */
export const isFile = (path: string): boolean => attempt(() => lstatSync(path).isFile()) ?? false;

/** When a file was written, in milliseconds since the epoch; 0 if nothing is there. @param path absolute */
export const writtenAt = (path: string): number => attempt(() => lstatSync(path).mtimeMs) ?? 0;

/** When a file was made, in milliseconds since the epoch: on some disks, when it was last changed. @param path absolute */
export function bornAt(path: string): number {
  const { birthtimeMs = 0, ctimeMs = 0 } = attempt(() => lstatSync(path)) ?? {};
  return birthtimeMs || ctimeMs;
}

/**
 * What happened to a file; undefined if there is nothing to review.
 *
 * @param before undefined if that is not known
 */
export function deedOf(
  named: { uri: vscode.Uri; path: string },
  before: Content | undefined,
  after: Content,
): Deed | undefined {
  const { uri } = named;
  const kept = (content: Content | undefined) =>
    content instanceof Buffer
      ? [{ uri, bytes: content, ...(content.mode !== undefined && { mode: content.mode }) }]
      : undefined;
  if (isNothing(after)) return { type: 'delete', ...named, files: kept(before) };
  if (before && isNothing(before) && after instanceof Buffer)
    return { type: 'create', ...named, files: kept(after) };
  const [from, to] = [textOf(before), textOf(after)];
  if (!before || ('stamp' in before && !isNothing(before))) return { type: 'unseen', ...named };
  if (from === undefined || to === undefined) return { type: 'bytes', ...named, before, after };
  return from === to ? undefined : { type: 'edit', ...named, before: from, after: to };
}

/** As an editor has it: with `\n` between the lines, without a byte order mark; undefined for bytes that are no text. */
export const textOf = (content: Content | undefined): string | undefined =>
  content instanceof Buffer && isText(content) ? withLf(`${content}`.replace(/^\uFEFF/, '')) : undefined;
