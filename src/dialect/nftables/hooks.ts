/** The base chains of a version, and the jumps from them. */
export interface Hooks {
  /** In the order in which they are made. */
  readonly baseChains: readonly BaseChainOf[];
  /** In the order in which they are written; a chain is made before the first jump to it. */
  readonly jumps: readonly HookJump[];
}

export interface BaseChainOf {
  readonly name: string;
  readonly type: 'filter' | 'nat';
  readonly hook: 'prerouting' | 'input' | 'forward' | 'output' | 'postrouting';
  readonly priority: number;
}

export interface HookJump {
  readonly from: string;
  readonly to: string;
  readonly onlyNew: boolean;
}

const natChains: readonly BaseChainOf[] = [
  { name: 'nat-prerouting', type: 'nat', hook: 'prerouting', priority: -100 },
  { name: 'nat-output', type: 'nat', hook: 'output', priority: -100 },
  { name: 'nat-postrouting', type: 'nat', hook: 'postrouting', priority: 100 },
];

const natJumps: readonly HookJump[] = [
  { from: 'nat-output', to: 'services', onlyNew: false },
  { from: 'nat-prerouting', to: 'services', onlyNew: false },
  { from: 'nat-postrouting', to: 'masquerading', onlyNew: false },
];

const endpointJumps: readonly HookJump[] = [
  { from: 'filter-input', to: 'nodeport-endpoints-check', onlyNew: true },
  { from: 'filter-input', to: 'service-endpoints-check', onlyNew: true },
  { from: 'filter-forward', to: 'service-endpoints-check', onlyNew: true },
  { from: 'filter-output', to: 'service-endpoints-check', onlyNew: true },
];

/** Filtering in three hooks, of which forward comes after DNAT. */
export const hooks129: Hooks = {
  baseChains: [
    { name: 'filter-input', type: 'filter', hook: 'input', priority: -101 },
    { name: 'filter-forward', type: 'filter', hook: 'forward', priority: -101 },
    { name: 'filter-output', type: 'filter', hook: 'output', priority: -101 },
    ...natChains,
  ],
  jumps: [
    { from: 'filter-input', to: 'endpoints-check', onlyNew: true },
    { from: 'filter-forward', to: 'endpoints-check', onlyNew: true },
    { from: 'filter-output', to: 'endpoints-check', onlyNew: true },
    { from: 'filter-forward', to: 'forward', onlyNew: false },
    { from: 'filter-input', to: 'firewall-check', onlyNew: true },
    { from: 'filter-output', to: 'firewall-check', onlyNew: true },
    { from: 'filter-forward', to: 'firewall-check', onlyNew: true },
    ...natJumps,
  ],
};

/** Filtering stands right before the DNAT of its hook; what must see the new destination right after it. */
export const hooks130: Hooks = {
  baseChains: [
    { name: 'filter-prerouting', type: 'filter', hook: 'prerouting', priority: -110 },
    { name: 'filter-input', type: 'filter', hook: 'input', priority: -110 },
    { name: 'filter-forward', type: 'filter', hook: 'forward', priority: -110 },
    { name: 'filter-output', type: 'filter', hook: 'output', priority: -110 },
    { name: 'filter-output-post-dnat', type: 'filter', hook: 'output', priority: -90 },
    ...natChains,
  ],
  jumps: [
    ...endpointJumps,
    { from: 'filter-prerouting', to: 'firewall-check', onlyNew: true },
    { from: 'filter-output', to: 'firewall-check', onlyNew: true },
    ...natJumps,
    { from: 'filter-forward', to: 'cluster-ips-check', onlyNew: true },
    { from: 'filter-output-post-dnat', to: 'cluster-ips-check', onlyNew: true },
  ],
};

/** Only the firewall stands before DNAT; the other filter chains have the usual priority (kubernetes#132456). */
export const hooks133: Hooks = {
  baseChains: [
    { name: 'filter-prerouting-pre-dnat', type: 'filter', hook: 'prerouting', priority: -110 },
    { name: 'filter-output-pre-dnat', type: 'filter', hook: 'output', priority: -110 },
    { name: 'filter-input', type: 'filter', hook: 'input', priority: 0 },
    { name: 'filter-forward', type: 'filter', hook: 'forward', priority: 0 },
    { name: 'filter-output', type: 'filter', hook: 'output', priority: 0 },
    ...natChains,
  ],
  jumps: [
    ...endpointJumps,
    { from: 'filter-prerouting-pre-dnat', to: 'firewall-check', onlyNew: true },
    { from: 'filter-output-pre-dnat', to: 'firewall-check', onlyNew: true },
    ...natJumps,
    { from: 'filter-forward', to: 'cluster-ips-check', onlyNew: true },
    { from: 'filter-output', to: 'cluster-ips-check', onlyNew: true },
  ],
};
