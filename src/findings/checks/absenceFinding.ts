import { escapeText } from '../../common/text/escapeText.ts';
import { firstFew } from '../../common/text/firstFew.ts';
import type { NodeRules } from '../../node/nodeRules.ts';
import type { Compiled } from '../../pipeline/compile.ts';
import { servicePortName } from '../../plan/servicePortName.ts';
import { isOfCluster, type ProxyAbsence, type UnseenPlace } from '../../seen/absence/proxyAbsence.ts';
import { proxySeen } from '../../seen/proxySeen.ts';
import type { Finding } from '../finding.ts';
import { makeFinding } from '../makeFinding.ts';

/**
 * K8N111: the dump would show kube-proxy's rules, but has none. No other finding accompanies it, since all would follow
 * from it. In a comparison with manifests every Service is missing.
 */
export function absenceFinding(node: NodeRules, compiled?: Pick<Compiled, 'plans'>): Finding | undefined {
  const absence = proxySeen(node).absence;
  if (absence === undefined) return undefined;
  const services = compiled?.plans.flatMap((plan) => plan.services.map(({ port }) => servicePortName(port)));
  const missing = services === undefined ? {} : { services, isServiceMissing: true as const };
  const seen = `no rule of kube-proxy is in ${escapeText(node.name)}, which ${insteadText(absence)}`;
  return makeFinding('K8N111', { what: seen, found: absence.place, ...reasonOf(absence), ...missing });
}

function insteadText({ planes, kubelet, programs, tables }: ProxyAbsence): string {
  const named = (names: readonly string[]) => firstFew(names.map(escapeText), mostNamed);
  const parts = [
    ...planes.slice(0, 1).map(({ mark, program }) => `${escapeText(mark)}, of ${program}`),
    ...(kubelet.length > 0 ? [`chains of kubelet (${named(kubelet)})`] : []),
    ...(programs.length > 0 && planes.length === 0 ? [`chains of ${named(programs)}`] : []),
    ...(tables.length > 0 ? [`the nft ${tables.length === 1 ? 'table' : 'tables'} ${named(tables)}`] : []),
  ];
  return parts.length === 0 ? 'has no rule of any program that k8snet knows' : `has ${parts.join(', and ')}`;
}

const mostNamed = 4;

function reasonOf(absence: ProxyAbsence): { readonly why: string; readonly fix: string } {
  const { planes, kubelet } = absence;
  if (planes.length > 0) {
    const names = planes.map(({ program }) => program).join(' and ');
    return {
      why: `${names} can serve Services in place of kube-proxy, outside netfilter, where k8snet cannot see them: then this dump says nothing about any Service. Otherwise kube-proxy does not run on this node.`,
      fix: `Ask the program itself: ${planes.map(({ look }) => look).join(', ')}. If kube-proxy should run here, see whether it does: ${findProxy}.`,
    };
  }
  const unseen = unseenText(absence);
  const elsewhere = unseen === undefined ? '' : `, or its rules are where this dump does not look: ${unseen}`;
  const look = absence.unseen.map((place) => saveCommands[place]).join(', ');
  if (kubelet.length > 0 || isOfCluster(absence)) {
    const who =
      kubelet.length > 0 ? 'kubelet wrote its chains here and kube-proxy did not' : 'kube-proxy left nothing here';
    return {
      why: `${who}: it does not run on this node, it has not synced, its rules were removed${elsewhere}.`,
      fix: `See whether it runs on this node: ${findProxy}.${look === '' ? '' : ` Give these too: ${look}.`}`,
    };
  }
  return {
    why: `The dump is not of a node of a cluster, or was taken inside a Pod${elsewhere}.`,
    fix: `Save in the network namespace of the node: \`nsenter -t 1 -n iptables-save\`.${look === '' ? '' : ` Give these too: ${look}.`}`,
  };
}

const findProxy =
  '`kubectl -n kube-system get pods -l k8s-app=kube-proxy -o wide --field-selector spec.nodeName=NODE` (as a system service: `systemctl status kube-proxy`)';

function unseenText({ unseen }: ProxyAbsence): string | undefined {
  const [first, ...more] = unseen.map((place) => placeNames[place]);
  if (first === undefined) return undefined;
  return more.length === 0 ? first : `${[first, ...more.slice(0, -1)].join(', ')} or ${more.at(-1)}`;
}

const placeNames: Readonly<Record<UnseenPlace, string>> = {
  nft: 'nftables mode’s tables',
  legacy: 'iptables-legacy',
  nf_tables: 'iptables-nft',
};

const saveCommands: Readonly<Record<UnseenPlace, string>> = {
  nft: '`nft list ruleset`',
  legacy: '`iptables-legacy-save`',
  nf_tables: '`iptables-nft-save`',
};
