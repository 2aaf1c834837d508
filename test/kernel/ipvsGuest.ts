import { problemsInScenario } from './problemsInScenario.ts';
import { serviceScenarios } from './serviceScenarios.ts';

/**
 * Runs inside a guest kernel (ipvs.test.ts starts it): sends packets through scenarios in IPVS mode and prints what is
 * wrong, one JSON line a scenario, so that a guest that dies half-way is noticed. Arguments: version of
 * kube-proxy, names of scenarios; none: all.
 */
const [kubeVersion = '1.30', ...names] = process.argv.slice(2);
for (const scenario of serviceScenarios) {
  if (names.length > 0 && !names.includes(scenario.name)) continue;
  const problems = await problemsInScenario(scenario, { mode: 'ipvs', kubeVersion }).catch((error: Error) => [
    error.message,
  ]);
  console.log(JSON.stringify({ name: scenario.name, problems }));
}
