/** The tax on a sum, in cents. */
export function tax(sum: number): number {
  return Math.round(sum * 0.19);
}
