import type { Location } from '../../../workspace/read/location.ts';
import type { Context } from '../../context.ts';
import type { PromptEntry } from '../promptSource.ts';

/** A prompt of ours, in the user's language. */
export type BuiltIn = (ctx: Context) => PromptEntry;

/** Lines of a file as the resource `file:///{+path}` names them; 1-based, inclusive. */
export const linesUri = ({ uri }: Location, first: number, last: number): string =>
  `${uri}#L${first}${last > first ? `-L${last}` : ''}`;

/** The resource of a file in `editor-state:///name/{+path}`. */
export const stateUri = (name: string, path: string): string =>
  `editor-state:///${name}/${encodeURI(path).replace(/[#?]/g, encodeURIComponent)}`;
