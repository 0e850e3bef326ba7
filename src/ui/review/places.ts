/** Which place in a file a call is about. Pure. */
import type { ActivityCall } from '../../server/activity.ts';
import { type LineChange, lineChanges } from '../../util/lineDiff.ts';
import type { AgentEdit } from '../../workspace/edit/journal.ts';
import { firstLine } from './agentChanges.ts';

/** A place in a file. */
export interface Place {
  path: string;
  /** 0-based. */
  line: number | undefined;
}

/** By the parameter names of our tools. */
export function placeOf({ request }: ActivityCall): Place | undefined {
  if (request?.method !== 'tools/call') return undefined;
  const { path, line, startLine } = (request.params?.arguments ?? {}) as Record<string, unknown>;
  if (typeof path !== 'string' || path === '') return undefined;
  const given = [line, startLine].find((one): one is number => Number.isInteger(one));
  return { path, line: given === undefined ? undefined : Math.max(0, given - 1) };
}

/** The first changed line of an edit. Undefined if it changed no text. */
export function changedPlaceOf({
  deeds,
}: AgentEdit): { uri: AgentEdit['deeds'][number]['uri']; line: number } | undefined {
  for (const deed of deeds) {
    if (deed.type === 'create') return { uri: deed.uri, line: 0 };
    if (deed.type !== 'edit') continue;
    const [first]: LineChange[] = lineChanges(deed.after, deed.before);
    return { uri: deed.uri, line: first ? firstLine(first) : 0 };
  }
  return undefined;
}
