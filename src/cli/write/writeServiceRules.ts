import type { NodeRules } from '../../node/nodeRules.ts';
import { serviceOfPort } from '../../seen/names/serviceOfPort.ts';
import type { ServiceEntrances } from '../../trace/service/serviceIpvs.ts';
import { serviceText } from '../../trace/service/serviceText.ts';
import { refuseUnknownService } from '../objects/refuseUnknownService.ts';
import { escapedLines } from './escapedLines.ts';
import type { Messages } from './messages.ts';
import { writeOut } from './writeOut.ts';

interface ServiceFacts {
  readonly entrances?: readonly ServiceEntrances[];
  /** Services of the manifests that get no rules, with the reason. */
  readonly withoutRules?: ReadonlyMap<string, string>;
}

/** `--service` and `--annotate`: one Service's rules, or why it has none. `given`: Services of manifests, with ports. */
export function writeServiceRules(
  node: NodeRules,
  service: string,
  isAnnotated: boolean,
  given: readonly string[],
  messages: Messages,
  { entrances = [], withoutRules }: ServiceFacts = {},
): void {
  const names = [...new Set(given.map(serviceOfPort))];
  refuseUnknownService(service, { given: names, withoutRules, dumps: [node] }, messages.report);
  if (messages.hasErrors()) return;
  const pieces = [...escapedLines(serviceText(node, service, isAnnotated, entrances))];
  if (pieces.length > 0) {
    writeOut(pieces);
    return;
  }
  const ports = given.filter((one) => one.startsWith(`${serviceOfPort(service)}:`));
  messages.report({
    code: 'bad-option',
    severity: 'error',
    message: isPart(node)
      ? `--service: the rules of ${JSON.stringify(service)} are not shown: the dump is a part of what the node holds`
      : `--service: no rule names ${JSON.stringify(service)}`,
    at: [],
    hint:
      node.ipvs.length > 0 && given.length === 0
        ? 'rules of IPVS mode name no Service: k8snet compile --service prints them from manifests, k8snet whois ADDRESS:PORT shows its virtual servers'
        : ports.length > 0
          ? `its ports are ${ports.slice(0, 5).join(', ')}`
          : 'give it as namespace/name or namespace/name:port-name',
  });
}

function isPart({ iptables, nft }: NodeRules): boolean {
  return [...iptables, ...nft].some(({ tables }) => [...tables.values()].some(({ isWhole }) => !isWhole));
}
