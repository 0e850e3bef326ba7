import type { Uri } from 'vscode';
import type { Location } from '../../read/location.ts';
import type { KeptFile } from '../journal.ts';
import type { NewPath } from './target.ts';

/** Empty folders above that go too, the innermost first. */
interface Leaving {
  folders?: readonly Uri[];
}

/** A change of files other than the text in them. */
export type Operation =
  /** A text file; folders above it are created too. The text is written as it is, with the permissions of `like`. */
  | { type: 'create'; target: NewPath; text: string; like?: Location }
  | { type: 'create_folder'; target: NewPath }
  /** Open editors and unsaved text move along; links, and folders with files that are closed to the agent, are refused. */
  | ({ type: 'move'; location: Location; target: NewPath } & Leaving)
  | { type: 'copy'; location: Location; target: NewPath }
  /** Refused if there is anything else than `only`. */
  | ({ type: 'delete'; location: Location; only?: readonly KeptFile[] } & Leaving)
  /** What was deleted. */
  | { type: 'restore'; target: NewPath; files: readonly KeptFile[] };

/** The paths that an operation touches. */
export function placesOf(operation: Operation): (Location | NewPath)[] {
  if ('target' in operation && 'location' in operation)
    return operation.type === 'move' ? [operation.location, operation.target] : [operation.target];
  return ['target' in operation ? operation.target : operation.location];
}
