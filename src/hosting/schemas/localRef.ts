import { isObject } from '../../core/json.ts';
import { isMap, ownValue } from './keywords.ts';

/** What a `$ref` within its own document points at (`#/$defs/a`, RFC 6901); undefined if it is another, or leads nowhere. */
export const pointed = (root: unknown, ref: unknown): unknown =>
  segmentsOf(ref)?.reduce(
    (at: unknown, segment) => (Array.isArray(at) ? at[Number(segment)] : ownValue(at, segment)),
    root,
  );

/** The same `$ref` after properties were renamed. */
export function renamedRef(ref: unknown, names: ReadonlyMap<string, string>): unknown {
  const segments = segmentsOf(ref);
  if (!segments) return ref;
  const [, ...written] = `${ref}`.split('/');
  let keyword: string | undefined;
  const renamed = segments.map((segment, index) => {
    const isName = keyword !== undefined && isMap(keyword);
    const name = keyword === 'properties' ? names.get(segment) : undefined;
    keyword = isName ? undefined : segment;
    return name ?? written[index];
  });
  return ['#', ...renamed].join('/');
}

/** All `$ref` in a JSON value. */
export function refsIn(value: unknown): unknown[] {
  if (Array.isArray(value)) return value.flatMap(refsIn);
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([key, one]) =>
    key === '$ref' && typeof one === 'string' ? [one] : refsIn(one),
  );
}

function segmentsOf(ref: unknown): string[] | undefined {
  if (ref === '#') return [];
  if (typeof ref !== 'string' || !ref.startsWith('#/')) return undefined;
  try {
    const segments = ref.slice(2).split('/').map(decodeURIComponent);
    return segments.map((segment) => segment.replaceAll('~1', '/').replaceAll('~0', '~'));
  } catch {
    return undefined; // a broken percent-encoding
  }
}
