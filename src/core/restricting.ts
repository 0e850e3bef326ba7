/**
 * The names in a restricting setting. Malformed values still restrict: a string counts as a list of one, and an object as the names
 * with a true value.
 */
export const restricting = (value: unknown): string[] | undefined => {
  if (value === undefined || value === null) return undefined;
  if (typeof value === 'string') return [value];
  if (Array.isArray(value)) return value.filter((item) => typeof item === 'string');
  return Object.entries(value).flatMap(([name, isMeant]) => (isMeant ? [name] : []));
};
