import { policyLayouts, switchPolicies } from '../test/kernel/switchPolicies.ts';

/**
 * The long run of `test/kernel/policySwitch.test.ts`: probes that two rule sets deny, while each replaces the other and
 * some runs are killed. Prints a row a layout for docs/networkpolicy.md, with the SYNs of the control at its end. As root: `node --import tsx
 * scripts/switchPolicies.ts [PROBES] [SECONDS]`, of each layout, whichever is reached first.
 */
const [probes = 10_000_000, seconds = 280] = process.argv.slice(2).map(Number);

let isBad = false;
for (const layout of policyLayouts) {
  const result = await switchPolicies(layout, { probes, runs: 1, seconds });
  isBad ||= result.passed > 0;
  process.stdout.write(
    `| ${layout} | ${result.probes} | ${result.runs} | ${result.killed} | ${result.passed} | ${result.controls} |\n`,
  );
}
process.exitCode = isBad ? 1 : 0;
