import type { Check, Scenario, Suite } from './suite.ts';

/** A line for each scenario, and below it what is wrong. Tells whether all that count are as they should be. */
export function printReport(
  { title, onPurpose }: Pick<Suite, 'title' | 'onPurpose'>,
  scenarios: readonly Scenario[],
): boolean {
  console.log(`\n${title}`);
  for (const scenario of scenarios) printScenario(scenario);
  if (onPurpose) console.log(`  must fail: ${[...onPurpose].join(', ')}`);
  const scored = scenarios.filter(({ isScored }) => isScored);
  const isRight = (scenario: Scenario) => hasPassed(scenario) !== (onPurpose?.has(scenario.name) ?? false);
  const passed = scored.filter(isRight).length;
  console.log(`  ${passed} of ${scored.length} scored scenarios are as they should be`);
  return passed === scored.length;
}

/** A warning is a SHOULD that is not kept: that is not full marks either. */
const isWrong = ({ status }: Check): boolean => status === 'FAILURE' || status === 'WARNING';

const hasPassed = ({ checks }: Scenario): boolean =>
  !checks.some(isWrong) && checks.some(({ status }) => status === 'SUCCESS');

function printScenario(scenario: Scenario): void {
  const { name, isScored, checks } = scenario;
  const done = checks.filter(({ status }) => status === 'SUCCESS').length;
  const counted = `${done}/${done + checks.filter(isWrong).length}`;
  const mark = hasPassed(scenario) ? '✔' : isScored ? '✘' : '-';
  console.log(`  ${mark} ${name} ${counted}${isScored ? '' : ' (not scored)'}`);
  if (!isScored) return;
  for (const { name, status, errorMessage } of checks) {
    if (status === 'FAILURE' || status === 'WARNING') console.log(`      ${status} ${name}: ${errorMessage}`);
  }
}
