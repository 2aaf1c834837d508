import type { ClusterApi } from '../../live/clusterApi.ts';
import { type FollowedKind, type FollowState, followKind } from '../../live/follow/followKind.ts';
import { liveKinds } from '../../live/lists/liveKinds.ts';
import type { ObjectStore } from './objectStore.ts';

/** One list that the agent follows. Nothing can be judged without a list that is `needed`. */
interface Source extends FollowedKind {
  readonly name: string;
  readonly isNeeded: boolean;
}

/** What is known about the objects: everything necessary, or since when it is not. */
export interface ObjectKnowledge {
  /** In words; undefined: everything necessary is known. */
  readonly unknown: string | undefined;
  /** Objects that may not be read or do not exist, and are therefore ignored, in words. */
  readonly gaps: readonly string[];
}

export interface FollowedObjects {
  readonly knowledge: () => ObjectKnowledge;
  /** Ends when `signal` says so. */
  readonly ended: Promise<unknown>;
}

/**
 * Follows everything that the rules of one node depend on, and puts it into the store. Calls `changed` after each
 * change, and whenever the state of knowledge changes.
 */
export function followObjects(
  api: ClusterApi,
  store: ObjectStore,
  { node, comparesPolicies }: { readonly node: string; readonly comparesPolicies: boolean },
  changed: () => void,
  signal: AbortSignal,
): FollowedObjects {
  const states = new Map<string, FollowState | undefined>();
  const sources = sourcesOf(node, comparesPolicies);
  for (const { name } of sources) states.set(name, undefined);
  const ended = sources.map((source) => {
    const { name, of } = source;
    return followKind(
      api,
      source,
      {
        listing: () => store.listing(name),
        item: (apiVersion, item) => {
          store.put(name, { kind: of.kind, apiVersion }, item);
          changed();
        },
        listed: () => {
          store.listed(name);
          changed();
        },
        removed: (item) => {
          store.remove(name, item);
          changed();
        },
        state: (state) => {
          const before = states.get(name);
          states.set(name, state);
          if (before?.kind !== state.kind) changed();
        },
      },
      signal,
    );
  });
  return { knowledge: () => knowledgeOf(sources, states), ended: Promise.all(ended) };
}

function sourcesOf(node: string, comparesPolicies: boolean): readonly Source[] {
  const { services, endpointSlices, nodes, serviceCIDRs, proxyConfig, networkPolicies, pods, namespaces } = liveKinds;
  const { only, ...configMaps } = proxyConfig;
  const needed = (of: FollowedKind['of']): Source => ({ name: of.resource, of, isNeeded: true });
  const optional = (of: FollowedKind['of']): Source => ({ name: of.resource, of, isNeeded: false });
  return [
    needed(services),
    needed(endpointSlices),
    { ...needed(nodes), fieldSelector: `metadata.name=${node}` },
    optional(serviceCIDRs),
    // By name, because a role may grant access to these only.
    ...(only?.names ?? []).map((name) => ({
      ...optional(configMaps),
      name: `configmap ${name}`,
      namespace: only?.namespace ?? '',
      fieldSelector: `metadata.name=${name}`,
    })),
    // A Pod anywhere can send to a Pod on this node.
    ...(comparesPolicies ? [needed(networkPolicies), needed(namespaces), needed(pods)] : []),
  ];
}

function knowledgeOf(
  sources: readonly Source[],
  states: ReadonlyMap<string, FollowState | undefined>,
): ObjectKnowledge {
  const gaps: string[] = [];
  for (const { name, isNeeded, of } of sources) {
    const state = states.get(name);
    const problem = problemOf(name, of.resource, state);
    if (problem === undefined) continue;
    const isWaited = state === undefined || state.kind === 'lost';
    if (isNeeded || isWaited) return { unknown: problem, gaps };
    // Kinds that the server does not have were not missed.
    if (state.kind !== 'absent') gaps.push(problem);
  }
  return { unknown: undefined, gaps };
}

function problemOf(name: string, resource: string, state: FollowState | undefined): string | undefined {
  switch (state?.kind) {
    case undefined:
      return `${name}: not read yet`;
    case 'followed':
      return undefined;
    case 'absent':
      return `${name}: the server does not have this kind`;
    case 'forbidden':
      return `${name}: the account may not ${state.verb} ${resource} (${state.message})`;
    case 'lost':
      return `${name}: ${state.message}`;
  }
}
