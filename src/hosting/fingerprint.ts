import { createHash } from 'node:crypto';
import { isObject } from '../core/json.ts';

/** The SHA-256 of a JSON value in hex. The order of fields does not matter, and a field that is undefined counts as absent. */
export const fingerprint = (value: unknown): string =>
  createHash('sha256').update(canonicalJson(value)).digest('hex');

const canonicalJson = (value: unknown): string =>
  `${JSON.stringify(value, (_, one) => (isObject(one) ? sorted(one) : one))}`;

const sorted = (object: object): object =>
  Object.fromEntries(Object.entries(object).sort(([a], [b]) => (a < b ? -1 : 1)));
