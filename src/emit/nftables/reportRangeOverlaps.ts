import type { Report } from '../../diagnostics/diagnostic.ts';
import type { NftablesDialect } from '../../dialect/nftables/nftablesDialect.ts';
import { applyTransaction } from '../../netfilter/nft/applyTransaction.ts';
import type { NftCommand } from '../../netfilter/nft/command.ts';
import type { Plan, ServicePlan } from '../../plan/plan.ts';
import { sets } from './chainNames.ts';
import { emitFirewallCheck, emitFirewallElements, hasFirewall } from './firewall.ts';
import { proxyTable } from './table.ts';

/**
 * Reports source ranges that the kernel refuses as elements of set `firewall-allow`: those that begin or end in one
 * that is loaded before.
 */
export function reportRangeOverlaps(plan: Plan, dialect: NftablesDialect, report: Report): void {
  const owners: (ServicePlan | undefined)[] = [];
  const keys: string[] = [];
  const told = new Set<ServicePlan>();
  applyTransaction(commands(), (number) => {
    const service = owners[number];
    if (service === undefined || told.has(service)) {
      return;
    }
    told.add(service);
    report({
      code: 'rules-not-loadable',
      severity: 'warning',
      message: `${service.displayName}: the kernel refuses all rules, since ${keys[number]} overlaps another element of set ${sets.firewallAllow}`,
      at: [service.port.origin],
      hint: 'give source ranges that do not overlap, and none that holds the address of the load balancer itself',
    });
  });

  function* commands(): Generator<NftCommand> {
    const table = proxyTable(plan.family, dialect);
    // The chains are not made, so rules have no effect; only sets matter here.
    for (const command of [table.addTable(''), ...emitFirewallCheck(table)]) {
      owners.push(undefined);
      yield command;
    }
    for (const service of plan.services.filter(hasFirewall)) {
      for (const ip of service.loadBalancerIPs) {
        for (const command of emitFirewallElements(table, service, noNames, ip)) {
          if (command.object === 'element') keys[owners.length] = command.elements[0]?.key.join(' . ') ?? '';
          owners.push(service);
          yield command;
        }
      }
    }
  }
}

const noNames = { service: '', local: '', external: '', firewall: '' };
