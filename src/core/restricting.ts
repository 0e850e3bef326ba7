/** What is written wrongly is not passed over where it restricts: a text without a list is one of it, and so is a name that is true. */
export const restricting = (value: unknown): string[] | undefined => {
  if (value === undefined || value === null) return undefined;
  if (typeof value === 'string') return [value];
  if (Array.isArray(value)) return value.filter((item) => typeof item === 'string');
  return Object.entries(value).flatMap(([name, isMeant]) => (isMeant ? [name] : []));
};
