import { problemsInScenario } from './problemsInScenario.ts';
import { serviceScenarios } from './serviceScenarios.ts';

/**
 * Runs inside a guest kernel (ipvs.test.ts starts it): sends packets through scenarios in IPVS mode and prints what is
 * wrong, one JSON line a scenario, so that a guest that dies half-way is noticed. Arguments: `VERSION:SCENARIO`, of
 * kube-proxy's version; without a scenario all of them.
 */
for (const argument of process.argv.slice(2)) {
  const [kubeVersion = '', name] = argument.split(':');
  for (const scenario of serviceScenarios.filter((one) => !name || one.name === name)) {
    const problems = await problemsInScenario(scenario, { mode: 'ipvs', kubeVersion }).catch((error: Error) => [
      error.message,
    ]);
    console.log(JSON.stringify({ run: `${kubeVersion}:${scenario.name}`, problems }));
  }
}
