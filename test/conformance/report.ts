import type { Check, Scenario, Suite } from './suite.ts';

/** A line for each scenario, and below it what is wrong. Tells whether all are as they should be. */
export function printReport(
  { title, onPurpose }: Pick<Suite, 'title' | 'onPurpose'>,
  scenarios: readonly Scenario[],
): boolean {
  console.log(`\n${title}`);
  for (const { name, checks } of scenarios) {
    console.log(`  ${hasPassed(checks) ? '✔' : '✘'} ${name}`);
    for (const { name, status, errorMessage } of checks.filter(isWrong))
      console.log(`      ${status} ${name}: ${errorMessage}`);
  }
  if (onPurpose) console.log(`  must fail: ${[...onPurpose].join(', ')}`);
  const right = scenarios.filter(({ name, checks }) => hasPassed(checks) !== (onPurpose?.has(name) ?? false));
  console.log(`  ${right.length} of ${scenarios.length} scenarios are as they should be`);
  return right.length === scenarios.length;
}

/** A warning is a SHOULD that is not kept: that is not full marks either. */
const isWrong = ({ status }: Check): boolean => status === 'FAILURE' || status === 'WARNING';

const hasPassed = (checks: readonly Check[]): boolean =>
  !checks.some(isWrong) && checks.some(({ status }) => status === 'SUCCESS');
