import { chainPlace, type DumpPlace, linesOf } from '../../node/lines/chainLines.ts';
import type { NodeRules } from '../../node/nodeRules.ts';
import type { RuleChain } from '../../node/ruleChain.ts';

/** A program that serves Services without rules: by eBPF, Open vSwitch, or its own IPVS. */
export interface ServicePlane {
  readonly program: string;
  /** What gives it away: `the chain CILIUM_FORWARD`. */
  readonly mark: string;
  /** The command that shows its Services; it changes nothing. */
  readonly look: string;
  readonly place: readonly DumpPlace[];
}

/** Recognizes these programs by the marks that they leave in iptables rules; each program is listed once. */
export function servicePlanes({ iptables }: NodeRules): readonly ServicePlane[] {
  const found = new Map<string, ServicePlane>();
  for (const { tables } of iptables) {
    for (const { chains } of tables.values()) {
      for (const chain of chains.values()) {
        const kind = planes.find(
          ({ chains: names, rule }) => names.test(chain.name) && (!rule || hasRule(chain, rule)),
        );
        if (kind === undefined || found.has(kind.program)) continue;
        const { program, look, rule } = kind;
        const mark = rule === undefined ? `the chain ${chain.name}` : `marks of eBPF in the chain ${chain.name}`;
        found.set(program, { program, mark, look, place: chainPlace(chain) });
      }
    }
  }
  return [...found.values()];
}

function hasRule(chain: RuleChain, pattern: RegExp): boolean {
  return linesOf(chain).some((line) => pattern.test(line));
}

interface PlaneKind {
  readonly program: string;
  readonly chains: RegExp;
  /** Set if the chains alone prove nothing, because the program has them in every mode. */
  readonly rule?: RegExp;
  readonly look: string;
}

const planes: readonly PlaneKind[] = [
  {
    program: 'Cilium',
    chains: /^(?:OLD_)?CILIUM_/,
    look: '`kubectl -n kube-system exec ds/cilium -- cilium-dbg service list` (`cilium service list` before 1.15)',
  },
  {
    // Felix marks what its eBPF programs passed: 0x1000000 seen, 0x3000000 seen and allowed.
    program: 'Calico with its eBPF data plane',
    chains: /^cali-/,
    rule: /\bbpf(?:in|out)\.cali\b|--mark 0x0*[13]000000\/0x0*[13]000000\b/,
    look: '`kubectl -n calico-system exec ds/calico-node -- calico-node -bpf nat dump`',
  },
  {
    program: 'OVN-Kubernetes',
    chains: /^OVN-KUBE-/,
    look: '`ovn-nbctl lb-list` in the ovnkube-node Pod of this node',
  },
  {
    program: 'Antrea',
    chains: /^ANTREA-/,
    look: '`antctl get ovsflows -S NAME -n NAMESPACE` in the antrea-agent Pod of this node',
  },
  {
    program: 'kube-router',
    chains: /^KUBE-ROUTER-SERVICES$/,
    look: '`ipvsadm -Ln` on the node',
  },
];
