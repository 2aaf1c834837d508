import { everyKind, type LiveNeeds, liveKinds } from '../../live/lists/liveKinds.ts';

/** Whether a command looks at objects of a kind. */
export function wantsKind({ needs, uses, hasOtherPolicies = false }: LiveNeeds, kind: string): boolean {
  if (!Object.values(liveKinds).some((each) => each.kind === kind)) return hasOtherPolicies;
  return [...needs, ...uses].some((name) => liveKinds[name].kind === kind);
}

/** What each command reads from a cluster: kinds that it needs for an answer, and kinds that add to it. */

const rules: LiveNeeds = { needs: ['services', 'endpointSlices'], uses: ['nodes', 'serviceCIDRs'] };

/** For commands that make or compare rules; a given configuration replaces the cluster's. */
export function rulesNeeds({ config }: { readonly config?: string | undefined }): LiveNeeds {
  return config === undefined ? { ...rules, uses: [...rules.uses, 'proxyConfig'] } : rules;
}

/** Policies are compiled only on request: users who want kube-proxy's rules need not list all Pods. */
export function compileNeeds(options: {
  readonly config?: string | undefined;
  readonly policy?: 'nftables' | 'iptables' | 'off' | undefined;
  readonly policyOnly: boolean;
}): LiveNeeds {
  const { policy, policyOnly } = options;
  const own = rulesNeeds(options);
  return policyOnly || (policy !== undefined && policy !== 'off') ? withPolicies(own) : own;
}

/** If rules of NetworkPolicies are made too. */
export function withPolicies({ needs, uses }: LiveNeeds): LiveNeeds {
  return { needs: [...needs, 'networkPolicies', 'namespaces', 'pods'], uses, hasOtherPolicies: true };
}

/** If packets are walked: Pods have names. */
export function withPods({ needs, uses }: LiveNeeds): LiveNeeds {
  return { needs, uses: [...uses, 'pods'] };
}

/** For verdicts about connections. */
export const policyNeeds: LiveNeeds = withPolicies({ needs: [], uses: ['services', 'endpointSlices', 'nodes'] });

export const lintNeeds: LiveNeeds = {
  needs: ['services', 'endpointSlices', 'pods', 'networkPolicies', 'namespaces', 'ingresses'],
  uses: ['nodes', 'serviceCIDRs', 'proxyConfig'],
};

/** For first aid: the Pods behind a Service, and permitted connections if the account may see them. */
export function checkNeeds(options: { readonly config?: string | undefined }): LiveNeeds {
  const { needs, uses } = rulesNeeds(options);
  return { needs, uses: [...uses, 'pods', 'namespaces', 'networkPolicies'], hasOtherPolicies: true };
}

/** For a snapshot, which will be used for future questions. */
export const snapshotNeeds: LiveNeeds = everyKind;

/** For the targets of `emit`. */
export const emitNeeds = {
  dns: { needs: ['services', 'endpointSlices', 'namespaces'], uses: ['pods', 'serviceCIDRs'] },
  env: { needs: ['services', 'pods'], uses: [] },
  hosts: { needs: ['pods'], uses: ['nodes'] },
  ingress: { needs: ['ingresses', 'services', 'endpointSlices'], uses: [] },
  lb: { needs: ['services', 'endpointSlices', 'nodes'], uses: [] },
  resolvConf: { needs: ['pods'], uses: ['services', 'nodes', 'serviceCIDRs'] },
  routes: { needs: ['nodes'], uses: ['pods', 'blockAffinities'] },
} as const satisfies Readonly<Record<string, LiveNeeds>>;
