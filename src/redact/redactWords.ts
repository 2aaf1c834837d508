import { base32Prefix } from '../common/base32.ts';
import type { Redaction } from './redaction.ts';

/** `namespace/name:port`, as comments have it. */
export function redactServicePort(text: string, { names }: Redaction): string {
  const [, namespace = '', name = '', port] = /^([^/]*)\/([^:]*)(?::(.*))?$/.exec(text) ?? [];
  const service = `${names.of(namespace, 'ns')}/${names.of(name, 'svc')}`;
  return port === undefined ? service : `${service}:${names.of(port, 'port')}`;
}

/** `10.0.0.1:80`, `[fd00::1]:80`. */
export function redactEndpoint(text: string, { addresses }: Redaction): string {
  const [, six, four, rest = ''] = /^(?:\[([0-9a-f:.]+)\]|(\d+\.\d+\.\d+\.\d+))(.*)$/.exec(text) ?? [];
  if (six !== undefined) return `[${addresses.of(six) ?? six}]${rest}`;
  return four === undefined ? text : `${addresses.of(four) ?? four}${rest}`;
}

/** A comment: names of Services and addresses are replaced, and so is every word that kube-proxy and its like do not use. */
export function redactComment(text: string, redaction: Redaction): string {
  // kube-router puts a hash behind comments of its fixed rules, which is the same in every cluster.
  const [, fixed, hash] = /^(.*) - ([A-Z2-7]{16})$/.exec(text) ?? [];
  if (fixed !== undefined && redactComment(fixed, redaction) === fixed) return `${fixed} - ${hash}`;
  return text
    .split(' ')
    .map((word) => {
      if (/^\[[0-9a-f:.]+\](?::\d+)?$/.test(word)) return redactEndpoint(word, redaction);
      const [, head = '', middle = '', tail = ''] = /^([[(<'"\\]*)(.*?)([\])>,;:.'"\\]*)$/.exec(word) ?? [];
      return `${head}${redactWord(middle, redaction)}${tail}`;
    })
    .join(' ');
}

function redactWord(word: string, redaction: Redaction): string {
  const { names, addresses } = redaction;
  if (word === '' || /^[-=>+:;/]*$/.test(word) || /^\d+$/.test(word)) return word;
  const [, key, value = ''] = /^(name|namespace|id|cali):(.+)$/.exec(word) ?? [];
  if (key !== undefined) return `${key}:${names.of(value, 'name')}`;
  const address = addresses.of(word);
  if (address !== undefined) return address;
  const endpoint = redactEndpoint(word, redaction);
  if (/^(?:\[|\d+\.\d+\.\d+\.\d+:)/.test(word)) return endpoint;
  const hashed = hashedName.exec(word);
  if (hashed !== null) return `${hashed[1]}${redactHash(hashed[2] ?? '', redaction)}`;
  if (/^[A-Z2-7]{16}$/.test(word)) return redactHash(word, redaction);
  if (/^KUBE(?:-[A-Z]+)+$/.test(word)) return word;
  if (
    word
      .toLowerCase()
      .split('/')
      .every((part) => vocabulary.has(part)) &&
    !names.has(word)
  )
    return word;
  if (/^[a-z0-9-]+\/[a-z0-9.-]+(?::[a-zA-Z0-9-]*)?$/.test(word)) return redactServicePort(word, redaction);
  return names.of(word, 'word');
}

const hashedName = /^(KUBE-(?:[A-Z]+-)+)([A-Z2-7]{16})$/;

/** Words of comments that programs write. */
const vocabulary: ReadonlySet<string> = new Set(
  `balancer externally-visible netpol explicitly netpol-ok common log-drop handle icmp kube-router accept reject decision primary secondary any all comply
  messages echo allowed requests unreachable time exceeded matching range type any encapped originating workloads profiles matched
  nodelocal cache skip vxlan ipinip np unknown interface before neighbor notrack ensure non-local can flow solicitation
  advertisement reply start passed defaultendpointtohostaction dropping portfwd upstream cilium kind-masq-agent
  destinations+sources nflog hash ingress egress policy policies profile name: namespace: id: a will be other dropped accepted ports to: a active all allocated allow also and are as at back backup balancing block bridge by chain cidr cluster clusterip clusterips
  configured conntrack connections default deny destination destinations destined dns dnat docker drop dst endpoint endpoints
  established except external externalip externally externaltrafficpolicy externaltrafficpolicy=local filter firewall first flannel
  flanneld for forward forwarding from generated hairpin hairpinning has health helper host hostport hostports if in incoming
  initial internal invalid ip ips ipvs is jump kube-proxy kubelet kubernetes last load loadbalancer loadbalancersourceranges
  local localhost localnet lb log mark marked masq masquerade masquerading must name namespace network networking new no node
  nodeport nodeports not note of on only or out outgoing outside packet packets pod pods policy port portal portals
  postrouting prerouting proxy purpose reach redirect reject rejected related requiring return route rule rules rulesets
  service services set sets short-circuit snat solving source sourcerange src state stateful subject sync tcp that the this to
  traffic trying udp sctp unallocated vip visible vmap with without @no-endpoint-services @no-endpoint-nodeports ip:port ipport
  access accept accepted input output check check: note: port: rule: portmap cni network: not-local unicast multicast
  nat cali: calico felix workload`.split(/\s+/),
);

/** A hash in the name of a chain; one that nobody can explain gets another that says nothing. */
export function redactHash(hash: string, { hashes, secret }: Redaction): string {
  let made = hashes.get(hash);
  if (made === undefined) {
    made = base32Prefix(`${secret} ${hash}`, 16);
    hashes.set(hash, made);
  }
  return made;
}
