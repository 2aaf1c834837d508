import type { SetKey } from '../../dialect/ipvs/ipvsSets.ts';
import { serviceKey } from '../../netfilter/ipvs/applyCommands.ts';
import type { VirtualService } from '../../netfilter/ipvs/ast.ts';

/** Gathers what the walk over the services of one family finds: set members, virtual services, bound addresses. */
export interface NodeState {
  readonly addMember: (set: SetKey, member: string) => void;
  /** kube-proxy remembers the member, and writes rules for it, but ipset refuses it. */
  readonly countMember: (set: SetKey) => void;
  readonly members: (set: SetKey) => readonly string[];
  /** kube-proxy knows a member of the set; most of its rules are written only then. */
  readonly isUsed: (set: SetKey) => boolean;
  /**
   * Of two Services with one address and port the later one counts: kube-proxy updates the virtual service each time.
   */
  readonly addService: (service: VirtualService) => void;
  readonly services: () => readonly VirtualService[];
  readonly bind: (address: string) => void;
  readonly boundAddresses: () => readonly string[];
  /** A load-balancer address whose source ranges keep the node itself out. */
  readonly denyNode: (denied: DeniedAddress) => void;
  readonly deniedAddresses: () => readonly DeniedAddress[];
}

export interface DeniedAddress {
  readonly address: string;
  readonly protocol: string;
  readonly port: number;
}

/** `sets`: those that the version has; members of others are not kept. */
export function nodeState(sets: readonly SetKey[]): NodeState {
  const members = new Map<SetKey, Set<string>>(sets.map((key) => [key, new Set()]));
  const used = new Set<SetKey>();
  const services = new Map<string, VirtualService>();
  const bound = new Set<string>();
  const denied: DeniedAddress[] = [];
  return {
    addMember: (set, member) => {
      if (!members.has(set)) return;
      used.add(set);
      members.get(set)?.add(member);
    },
    countMember: (set) => used.add(set),
    members: (set) => [...(members.get(set) ?? [])],
    isUsed: (set) => used.has(set),
    addService: (service) => services.set(serviceKey(service.address), service),
    services: () => [...services.values()],
    bind: (address) => bound.add(address),
    boundAddresses: () => [...bound],
    denyNode: (address) => denied.push(address),
    deniedAddresses: () => denied,
  };
}
