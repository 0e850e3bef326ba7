import { type FieldChange, fieldChanges, fieldTexts } from '../../core/fieldChanges.ts';
import type { Fields } from '../../core/json.ts';
import { fingerprint } from '../fingerprint.ts';

/** The fields of a tool that tell a model what it does. Another value of one makes it another tool, which nobody has approved. */
const JUDGED = ['name', 'title', 'description', 'inputSchema', 'outputSchema', 'annotations'] as const;

/** The part of a tool that an approval covers. Keep it with the hash, so that `toolChanges` can tell what is different later. */
export const approvedPart = (tool: Fields): Fields =>
  Object.fromEntries(
    JUDGED.filter((field) => tool[field] !== undefined).map((field) => [field, tool[field]]),
  );

/**
 * Changes if the server changes what the tool says it is; the order of fields does not matter. SHA-256 in hex.
 *
 * @throws RangeError if a schema nests thousands of levels deep, as `toolChanges` does: treat the tool as invalid
 */
export const toolHash = (tool: Fields): string => fingerprint(approvedPart(tool));

/** What is different, by field; empty if both have the same hash. */
export const toolChanges = (before: Fields, after: Fields): FieldChange[] =>
  fieldChanges(fieldTexts(approvedPart(before)), fieldTexts(approvedPart(after)));
