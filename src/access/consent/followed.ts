import { commandOf } from '../../core/grants.ts';
import { parsedJson } from '../../core/json.ts';
import type { Grant } from '../operation.ts';
import { type FileChange, fileChangesOf } from './changes.ts';
import { grantablePlaces } from './grants.ts';
import type { ApprovalRequest, Opened, PlannedAction, Question } from './types.ts';

interface Parts {
  /** What the user has allowed already that is near to it, now and once it has changed. */
  near: readonly Grant[];
  nearLater(request: ApprovalRequest): readonly Grant[];
  nextId(): number;
}

/** The question of a request, and the request as the user sees it now: both follow the texts that it would change. */
export function followed(
  request: ApprovalRequest,
  opened: Opened,
  { near, nearLater, nextId }: Parts,
): { question: Question; now(): ApprovalRequest } {
  const { follow, everyTime, again, ...lasting } = request;
  let shown: Omit<ApprovalRequest, 'follow'> = {
    ...lasting,
    ...(everyTime && { everyTime }),
    ...(again && { again }),
  };
  let changes = fileChangesOf(shown.diffs ?? []);
  let { id } = opened;
  const question = (allowed: readonly Grant[]): Question => ({
    ...shown,
    ...opened,
    id,
    ...(shown.diffs && { changes }),
    ...changedScripts(shown, allowed),
    allowed,
    places: grantablePlaces(shown),
    ...(follow && { follow: (listener: (now: Question) => void) => follow((now) => change(now, listener)) }),
  });
  /** What a later plan does not say, such as the intent or a command, stays. */
  const change = ({ follow: _, ...now }: PlannedAction, listener: (now: Question) => void) => {
    const before = ownChanges(shown, changes);
    const next = { ...lasting, ...now };
    changes = fileChangesOf(next.diffs ?? []);
    const isSame = before === ownChanges(next, changes);
    shown = { ...next, ...((shown.again || !isSame) && { again: true }) };
    if (!isSame) id = nextId();
    listener(question(nearLater(shown)));
  };
  return { question: question(near), now: () => shown };
}

/** The scripts of a command, if they have changed since the user allowed it. */
function changedScripts({ command }: ApprovalRequest, near: readonly Grant[]): Pick<Question, 'changes'> {
  const before = near.map(commandOf).find((one) => one?.scripts !== undefined)?.scripts;
  if (command?.scripts === undefined || before === undefined) return {};
  return { changes: fileChangesOf([{ before: pretty(before), after: pretty(command.scripts) }]) };
}

const pretty = (json: string): string => `${JSON.stringify(parsedJson(json), undefined, 2)}\n`;

/** What a request does, as a text: the changed lines of its files without those around them, which others may change. */
function ownChanges(
  { kind, also, everyTime, diffs = [] }: PlannedAction,
  changes: readonly FileChange[],
): string {
  const files = changes.map(({ lines, isCut }, index) => {
    const { uri, operation, guard, before, after } = { ...diffs[index] };
    const own = lines.flatMap(({ kind, parts }) =>
      kind === 'removed' || kind === 'added' ? [kind, ...parts.map(({ text, mark }) => [text, mark])] : [],
    );
    return [`${uri}`, operation, guard, own, isCut && [before, after]];
  });
  return JSON.stringify([kind, also, everyTime, files]);
}
