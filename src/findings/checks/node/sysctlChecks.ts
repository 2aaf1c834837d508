import type { Family } from '../../../common/addresses/family.ts';
import { findFirst } from '../../../common/findFirst.ts';
import { isServiceChain } from '../../../netfilter/proxyChains.ts';
import type { NodeRules } from '../../../node/nodeRules.ts';
import { everyTool } from '../../../node/ruleKinds.ts';
import type { FindingCode } from '../../../problems/problemCode.ts';
import { proxySeen } from '../../../seen/proxySeen.ts';
import type { Finding } from '../../finding.ts';
import { type FindingParts, makeFinding } from '../../makeFinding.ts';

/** K8N514–517 and 706: kernel settings that keep rules from working, if they were given. */
export function sysctlChecks(node: NodeRules): readonly Finding[] {
  const { sysctls } = node.network;
  const findings: Finding[] = [];
  const add = (id: FindingCode, parts: FindingParts) => findings.push(makeFinding(id, parts));
  forwarding(node, add);
  bridges(node, add);
  if (sysctls.get('net.ipv4.conf.all.rp_filter') === 1) add('K8N516', { what: 'net.ipv4.conf.all.rp_filter is 1' });
  connections(sysctls, add);
  if (sysctls.get('net.ipv4.vs.conntrack') === 0 && proxySeen(node).modes.includes('ipvs')) {
    add('K8N706', { what: 'net.ipv4.vs.conntrack is 0, and the node is in IPVS mode' });
  }
  return findings;
}

type Add = (id: FindingCode, parts: FindingParts) => void;

function forwarding(node: NodeRules, add: Add): void {
  const { sysctls } = node.network;
  if (sysctls.get('net.ipv4.ip_forward') === 0) add('K8N514', { family: 'ipv4', what: 'net.ipv4.ip_forward is 0' });
  if (sysctls.get('net.ipv6.conf.all.forwarding') === 0 && hasServices(node, 'ipv6')) {
    const fix = '`sysctl -w net.ipv6.conf.all.forwarding=1`, and the same line in /etc/sysctl.d so that it stays.';
    add('K8N514', { family: 'ipv6', what: 'net.ipv6.conf.all.forwarding is 0, and there are IPv6 Services', fix });
  }
}

function hasServices(node: NodeRules, family: Family): boolean {
  return everyTool(node).some(
    (set) =>
      set.family === family &&
      (set.kind === 'ipvs' ||
        [...set.tables.values()].some(
          ({ chains }) =>
            findFirst(chains.keys(), (name) => isServiceChain(name) || nftServiceChain.test(name)) !== undefined,
        )),
  );
}

/** Others, such as service-endpoints-check, exist without Services too. */
const nftServiceChain = /^service-[A-Z2-7]{8}-/;

/** Whether Pods are ports of a bridge is known if its ports were listed. */
function bridges(node: NodeRules, add: Add): void {
  const { sysctls, interfaces } = node.network;
  const bridge =
    node.bridgePorts.find(({ isVeth, bridge }) => isVeth && podBridge.test(bridge))?.bridge ??
    interfaces.find(({ name, isBridge }) => isBridge && podBridge.test(name))?.name;
  const pods = bridge === undefined ? '' : `, and Pods are ports of the bridge ${bridge}`;
  const severity = bridge === undefined ? 'warning' : 'error';
  for (const [name, family] of [
    ['net.bridge.bridge-nf-call-iptables', 'ipv4'],
    ['net.bridge.bridge-nf-call-ip6tables', 'ipv6'],
  ] as const) {
    const value = sysctls.get(name);
    if (value === 0 && (family === 'ipv4' || hasServices(node, family))) {
      const where = bridge === undefined ? '; it matters where Pods are ports of a bridge' : pods;
      add('K8N515', { family, what: `${name} is 0${where}`, severity });
    }
    if (value === undefined && family === 'ipv4' && bridge !== undefined && isMissing(node, name)) {
      add('K8N515', { family, what: `${name} does not exist: br_netfilter is not loaded${pods}`, severity });
    }
  }
}

/** Bridges of network plug-ins, not of Docker, libvirt or LXC. */
const podBridge = /^(?:cni0|cbr0|kube-bridge|mynet0|weave|podbr\d*|br-cni\d*|kubenet)$/;

/** `sysctl -e` omits what the kernel does not have; a list of a few names says nothing about others. */
function isMissing({ network: { sysctls, missingSysctls, modules } }: NodeRules, name: string): boolean {
  if (missingSysctls.has(name)) return true;
  if (modules?.names.has('br_netfilter')) return false;
  return modules?.isWhole === true || sysctls.size >= wholeList;
}

const wholeList = 6;

function connections(sysctls: ReadonlyMap<string, number>, add: Add): void {
  const max = sysctls.get('net.netfilter.nf_conntrack_max') ?? sysctls.get('net.nf_conntrack_max');
  const count = sysctls.get('net.netfilter.nf_conntrack_count');
  if (max === undefined || max === 0) return;
  if (count !== undefined && count >= max * nearlyFull) {
    const isFull = count >= max;
    add('K8N517', {
      what: `${count} of at most ${max} connections are tracked`,
      ...(!isFull && { severity: 'warning' }),
    });
    return;
  }
  if (max < proxyMinimum) {
    const seen = `nf_conntrack_max is ${max}; kube-proxy sets at least ${proxyMinimum} unless its configuration says otherwise`;
    add('K8N517', {
      what: seen,
      severity: 'info',
      isAdvice: true,
      why: 'kube-proxy runs without the right to set it (in a container of its own), its configuration says 0, or another program lowered it. A small table fills up under load, and new connections are dropped.',
      fix: 'Nothing to do while `sysctl net.netfilter.nf_conntrack_count` stays far below it.',
    });
  }
}

const nearlyFull = 0.95;
const proxyMinimum = 131_072;
