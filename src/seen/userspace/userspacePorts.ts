import { ruleView } from '../../netfilter/iptables/print/ruleView.ts';
import type { ToolRules } from '../../node/nodeRules.ts';
import { rulesOf } from '../../node/rulesOf.ts';
import { serviceInComment } from '../names/serviceInComment.ts';
import { addIp, portBook } from '../ports/portBook.ts';
import type { SeenPort } from '../ports/seenPort.ts';

/**
 * Service ports of userspace mode. Its rules lead to kube-proxy itself: they show no endpoints, affinity or policies.
 * The first address of a port is its cluster IP; external IPs have rules that look at the bridge port.
 */
export function userspacePorts({ tables, family }: ToolRules): readonly SeenPort[] {
  const book = portBook(family);
  const chains = tables.get('nat')?.chains;
  for (const name of ['KUBE-PORTALS-CONTAINER', 'KUBE-PORTALS-HOST']) {
    const chain = chains?.get(name);
    for (const rule of chain ? rulesOf(chain, family) : []) {
      const view = ruleView(rule);
      const named = serviceInComment(view.comment);
      if (named?.what !== '' || view.protocol === undefined || view.destination === undefined) continue;
      const port = book.of(named, view.protocol);
      port.port ??= view.port;
      const isExternal = view.isToNode || rule.words.some(({ kind }) => kind === 'physdev');
      if (isExternal) addIp(port.externalIPs, view.destination);
      else if (port.clusterIP === undefined) port.clusterIP = view.destination;
      else if (port.clusterIP !== view.destination) addIp(port.loadBalancerIPs, view.destination);
    }
  }
  const nodePorts = chains?.get('KUBE-NODEPORT-CONTAINER');
  for (const rule of nodePorts ? rulesOf(nodePorts, family) : []) {
    const view = ruleView(rule);
    const named = serviceInComment(view.comment);
    if (named?.what === '' && view.protocol !== undefined) book.of(named, view.protocol).nodePort ??= view.port;
  }
  return [...book.all()];
}
