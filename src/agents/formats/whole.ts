import type { Format } from './format.ts';

/** A file of our own: `text` is the whole of it. */
export const whole: Format = {
  parse: (text) => (text === '' ? undefined : { text }),
  set: (_text, _path, value) => String(value),
  remove: () => '',
};
