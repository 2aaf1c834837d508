import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runIn } from '../../src/lab/runIn.ts';
import { runCli } from '../support/runCli.ts';
import type { Api } from './api.ts';
import type { ProxyNode } from './openCluster.ts';

/** What the API server and the tools of a node show at one moment, as files that a user would have. */
export interface Snapshot {
  readonly folder: string;
  readonly objects: string;
  readonly dumps: readonly string[];
  readonly remove: () => void;
}

const kinds = [
  '/api/v1/services',
  '/api/v1/nodes',
  '/apis/discovery.k8s.io/v1/endpointslices',
  '/apis/networking.k8s.io/v1/servicecidrs',
];

/** As `kubectl get services,nodes,… -A -o json` prints them. */
async function objectsOf(api: Api): Promise<string> {
  const lists = await Promise.all(kinds.map((path) => api.get(path)));
  const items = (lists as readonly List[]).flatMap(({ kind, apiVersion, items: own }) =>
    own.map((item) => ({ apiVersion, kind: kind.replace(/List$/, ''), ...item })),
  );
  return JSON.stringify({ apiVersion: 'v1', kind: 'List', items }, undefined, 1);
}

interface List {
  readonly kind: string;
  readonly apiVersion: string;
  readonly items: readonly object[];
}

/** Each tool by the file that takes what it prints. */
const tools: Readonly<Record<ProxyNode['mode'], Readonly<Record<string, readonly string[]>>>> = {
  iptables: { 'iptables.v4.save': ['iptables-save'], 'iptables.v6.save': ['ip6tables-save'] },
  nftables: { 'nft.txt': ['nft', 'list', 'ruleset'] },
};

export async function takeSnapshot(api: Api, { mode, namespace }: ProxyNode): Promise<Snapshot> {
  const folder = mkdtempSync(join(tmpdir(), 'k8snet-churn-'));
  const file = (name: string, text: string) => {
    writeFileSync(join(folder, name), text);
    return join(folder, name);
  };
  const dumps = await Promise.all(
    Object.entries(tools[mode]).map(async ([name, command]) => file(name, await runIn(namespace, command))),
  );
  const objects = file('objects.json', await objectsOf(api));
  return { folder, objects, dumps, remove: () => rmSync(folder, { recursive: true }) };
}

/** What a node that runs kube-proxy so is compiled with. */
export function targetOf({ name, version, mode, config }: ProxyNode): readonly string[] {
  return ['--node', name, '--mode', mode, '--kube-version', version, '--config', config];
}

/** `diff` of a node; the text names what differs. */
export function diffOf(
  { objects, dumps }: Snapshot,
  node: ProxyNode,
): { readonly status: number | null; readonly text: string } {
  const { status, stdout, stderr } = runCli(['diff', '-f', objects, ...targetOf(node), ...dumps, '-q']);
  return { status, text: `${stdout}${stderr}` };
}
