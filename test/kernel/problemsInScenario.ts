import { machine, openLab } from '../../src/lab/openLab.ts';
import { compileScenario } from './compiledScenario.ts';
import { checkFlows } from './flows.ts';
import { type How, loadScenario } from './loadScenario.ts';
import { clients, type ServiceScenario } from './serviceScenarios.ts';

/**
 * Compiles a scenario, loads it on its node and sends its flows: what is not as expected, in words. Rules that `spoil`
 * has changed leave connections unanswered, which are not waited for.
 */
export async function problemsInScenario(
  { name, flows, nodeAddresses = [] }: ServiceScenario,
  how: How,
  spoil?: (rules: string) => string,
): Promise<readonly string[]> {
  // A guest kernel on a busy machine is slow: four seconds for these connections when nothing else runs.
  const answerMs = how.mode === 'ipvs' ? 60_000 : undefined;
  const kubeVersion = how.mode === 'iptables' ? undefined : how.kubeVersion;
  const scenario = await compileScenario(name, how.mode, { ...clients, nodeAddresses }, kubeVersion);
  const lab = await openLab(scenario.network);
  try {
    await loadScenario(machine(lab, scenario.node.name), scenario, how, spoil);
    const expected = flows.map(({ nftables, nftablesOf, ipvs, ipvsOf, ...flow }) => {
      const version = kubeVersion ?? '';
      const other = {
        nftables: nftablesOf?.[version] ?? nftables,
        ipvs: ipvsOf?.[version] ?? ipvs,
        iptables: undefined,
      }[how.mode];
      return { ...flow, expect: other ?? flow.expect };
    });
    return await checkFlows(lab, scenario.node, expected, spoil === undefined ? answerMs : 700);
  } finally {
    await lab.close();
  }
}
