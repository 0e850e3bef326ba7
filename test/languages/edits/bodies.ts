import type { BodyFor, Place } from './variants.ts';

/** Code that is right in a place, by language. Servers give kinds in their own ways, so some are read off the text. */

const TYPES = /^(class|struct|interface|enum)$/;
const FUNCTIONS = /^(function|method|constructor|operator)$/;

/** The kind of what is around the new code; undefined at the top level. */
const aroundOf = ({ action, kind, outer }: Place): string | undefined =>
  action === 'insert_first' || action === 'insert_last' ? kind : outer[0];

const ownLine = ({ source, found }: Place): string => source.line(source.lineAt(found.node.name));

const isIn = (place: Place, pattern: RegExp): boolean => pattern.test(aroundOf(place) ?? '');

const withDelete =
  (bodyFor: BodyFor): BodyFor =>
  (place) =>
    place.action === 'delete' ? '' : bodyFor(place);

/** The name tells where it has to be: whether as the first or last of what is around, and the name of that. */
export const python: BodyFor = withDelete((place) => {
  const { number, action, kind, found } = place;
  const isInside = action.endsWith('st');
  const around = isInside ? found.node.label : (found.parent?.label ?? '');
  const where = isInside ? action.slice('insert_'.length) : 'beside';
  const isKnown = /^(function|method|class)$/.test(kind) && /^\w*$/.test(around);
  const name = isKnown ? `probe_${number}_${where}_in_${around}` : `probe_${number}`;
  return isIn(place, /^(class|module)$/) || aroundOf(place) === undefined
    ? `def ${name}(*args):\n    return 1`
    : `${name} = 1`;
});

export const bash: BodyFor = withDelete(({ number }) => `probe_${number}() {\n  :\n}`);

export const go: BodyFor = withDelete((place) => {
  const { number, source, found } = place;
  if (isIn(place, FUNCTIONS)) return '_ = 1';
  if (isIn(place, /^struct$/)) return `Probe${number} int`;
  if (isIn(place, /^interface$/)) return `Probe${number}()`;
  if (aroundOf(place) !== undefined) return undefined;
  const group = /^(var|const|type) \($/m;
  const above = source.text.slice(0, found.node.from).split('\n').toReversed();
  const head = above.find((line) => /^\S/.test(line) && !/^\/\//.test(line)) ?? '';
  const keyword = /^\s/.test(ownLine(place)) ? group.exec(head)?.[1] : undefined;
  if (keyword === 'type') return `type probe${number} int`;
  return keyword ? `${keyword} probe${number} = 1` : `func probe${number}() {\n\treturn\n}`;
});

export const c: BodyFor = (place) => {
  const { number, action, kind, source, found } = place;
  // Without a type or an enumerator, the parser of C++ takes what follows for something else.
  if (action === 'delete') return /^(function|method|constructor)$/.test(kind) ? '' : undefined;
  const head = source.text.slice(found.node.from, found.node.to).split('{')[0] ?? '';
  if (action.endsWith('st') && /\benum\b/.test(head)) return `probe_${number}`;
  if (isIn(place, FUNCTIONS)) return '(void)0;';
  if (isIn(place, /^enum$/)) return `probe_${number}`;
  if (isIn(place, TYPES)) return `int probe_${number};`;
  return aroundOf(place) === undefined || isIn(place, /^(namespace|module|package)$/)
    ? `int probe_${number}(void);`
    : undefined;
};

export const php: BodyFor = withDelete((place) => {
  const { number } = place;
  if (isIn(place, FUNCTIONS)) return `$probe${number} = 1;`;
  if (isIn(place, /^interface$/)) return `public function probe${number}();`;
  if (isIn(place, TYPES)) return `public function probe${number}()\n{\n    return 1;\n}`;
  return aroundOf(place) === undefined || isIn(place, /^(namespace|module|package)$/)
    ? `function probe${number}()\n{\n    return 1;\n}`
    : undefined;
});
