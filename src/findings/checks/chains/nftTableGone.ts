import { modeFacts } from '../../../common/proxy/modeFacts.ts';
import { isProxyTable } from '../../../netfilter/proxyChains.ts';
import type { NodeRules } from '../../../node/nodeRules.ts';
import type { Compiled } from '../../../pipeline/compile.ts';
import { servicePortName } from '../../../plan/servicePortName.ts';
import { commands } from '../../../problems/catalogue/commands.ts';
import type { Finding } from '../../finding.ts';
import { makeFinding } from '../../makeFinding.ts';

/** K8N212: whole nft tables were dumped, and kube-proxy's is not among them. */
export function nftTableGone({ model, plans }: Compiled, { nft }: NodeRules): readonly Finding[] {
  if (modeFacts[model.config.mode].rulesIn !== 'nftables') return [];
  // What was cut may have held further tables, of any family.
  if (nft.some((rules) => [...rules.tables.values()].some(({ isWhole }) => !isWhole))) return [];
  return plans.flatMap(({ family, services }) => {
    const listed = nft.filter((rules) => rules.family === family);
    if (services.length === 0 || listed.length === 0) return [];
    const tables = listed.flatMap((rules) => [...rules.tables.values()]);
    if (tables.some(({ name }) => isProxyTable(name))) return [];
    const name = family === 'ipv4' ? 'ip kube-proxy' : 'ip6 kube-proxy';
    return makeFinding('K8N212', {
      what: `the table ${name} is not in the dump${tables.length > 0 ? ', which has other tables' : ''}: no Service answers by ${family}`,
      services: services.map(({ port }) => servicePortName(port)),
      isServiceMissing: true,
      why: 'Somebody deleted it (`nft delete table`), `flush ruleset` did, with which /etc/nftables.conf often begins and which `systemctl reload nftables` then runs, or kube-proxy does not run in nftables mode. Or the dump is not of all tables.',
      fix: `Give what \`nft list ruleset\` prints, if that shows the table. Otherwise it is gone. ${commands.findFlusher} ${commands.restart}`,
    });
  });
}
