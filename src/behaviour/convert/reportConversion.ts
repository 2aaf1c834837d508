import { modeFacts } from '../../common/proxy/modeFacts.ts';
import { count } from '../../common/text/count.ts';
import { escapeText } from '../../common/text/escapeText.ts';
import { firstFew } from '../../common/text/firstFew.ts';
import type { Report } from '../../diagnostics/diagnostic.ts';
import type { Imported } from '../../import/importRules.ts';
import { policyChainKind, policyTable } from '../../netfilter/policyParts.ts';
import { linesOf } from '../../node/lines/chainLines.ts';
import type { NodeRules } from '../../node/nodeRules.ts';
import { foreignOwner } from '../../node/programs/foreignPrograms.ts';
import type { DiagnosticCode } from '../../problems/problemCode.ts';
import { dependents } from '../migrate/dependents.ts';
import type { Conversion } from './convertObjects.ts';

/** Lists parts of the dump that the converted rules leave out: rules of other programs, and what they depend on. */
export function reportConversion(
  { from, to }: Conversion,
  dump: NodeRules,
  { foreignRules: foreign, placeless }: Imported,
  report: Report,
): void {
  const say = (code: DiagnosticCode, severity: 'warning' | 'note', message: string, hint: string) =>
    report({ code, severity, message: escapeText(message), at: [], hint });
  if (placeless > 0 && modeFacts[to.model.config.mode].masqueradesOwnHairpins) {
    const message = `no rule tells which node ${count(placeless, 'endpoint')} ${placeless === 1 ? 'is' : 'are'} on: IPVS mode masquerades an endpoint of the node that gets to itself (KUBE-LOOP-BACK), and for none of these it will`;
    say('not-in-dump', 'warning', message, "--pod-cidr gives the range of the node's Pods");
  }
  const policies = policiesOf(dump);
  if (policies !== undefined) {
    const why = 'they contain only addresses, not the selectors and labels from which they were made';
    say(
      'policies-kept',
      'warning',
      `rules of NetworkPolicies (${policies}) are not converted: ${why}`,
      'they work beside any mode as long as their program keeps them; to have them in nftables, compile the policies: k8snet compile -f policies.yaml -f pods.yaml --policy nftables',
    );
  }
  if (foreign > 0) {
    const message = `${count(foreign, 'rule')} of other programs ${foreign === 1 ? 'is' : 'are'} not converted: ${foreign === 1 ? 'it stays' : 'they stay'} on the node as ${foreign === 1 ? 'it is' : 'they are'}`;
    say('foreign-rules', 'note', message, '--check sends packets through them, too');
  }
  if (from.model.config.mode === to.model.config.mode) return;
  for (const { program, rule, file, line, says } of dependents(dump, to.model.config.mode)) {
    const place = file === undefined ? '' : `${file}${line === undefined ? '' : `:${line}`}: `;
    const who = program === undefined ? '' : ` of ${program}`;
    say('relies-on-kube-proxy', 'warning', `${place}a rule${who}: ${rule}`, says);
  }
}

/** Whose policies the dump contains, in a few words; undefined: none. */
function policiesOf(dump: NodeRules): string | undefined {
  const names = new Set<string>();
  let hasChains = false;
  for (const { tables } of dump.iptables) {
    for (const chain of tables.get('filter')?.chains.values() ?? []) {
      if (foreignOwner(chain.name) !== 'kube-router') continue;
      hasChains = true;
      if (policyChainKind(chain.name) !== 'policy') continue;
      for (const line of linesOf(chain)) {
        const [, name] = namesPolicy.exec(line) ?? [];
        if (name !== undefined) names.add(name);
      }
    }
  }
  const ours = dump.nft.some(({ family, tables }) => tables.has(policyTable(family)));
  const parts = [
    ...(hasChains ? [`kube-router's layout${names.size > 0 ? `, ${listed([...names])}` : ''}`] : []),
    ...(ours ? ['table k8snet-netpol'] : []),
  ];
  return parts.length === 0 ? undefined : parts.join('; ');
}

const namesPolicy = /--comment "([^ "]+\/[^ "]+) (?:ingress|egress) /;

function listed(names: readonly string[]): string {
  return firstFew(names, 3);
}
