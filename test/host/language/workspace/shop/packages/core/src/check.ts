export function check(isRight: boolean): void {
  if (!isRight) throw new Error('wrong');
}
