/** What visitors are greeted with. */
export function greeting(name: string): string {
  return `Hello ${name}`;
}
