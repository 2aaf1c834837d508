import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { after, before, test } from 'node:test';
import { parseAllDocuments } from 'yaml';
import { runIn } from '../../src/lab/runIn.ts';
import { root } from '../support/compileCase.ts';
import { type ControlPlane, openControlPlane } from './openControlPlane.ts';
import { helm, kubectlProgram, lacksCluster, lacksHelm } from './programs.ts';

/**
 * What `deploy/` has for the agent: kustomize and Helm make the same of it, and a real API server takes it as it is, in
 * every combination.
 */
const lacks = lacksCluster([]) ?? lacksHelm();
if (process.env.K8SNET_REQUIRE_CLUSTER === '1' && lacks !== undefined) throw new Error(lacks);
const skip = lacks ?? false;

/** Each component, as the chart's values call it. */
const components: Readonly<Record<string, string>> = {
  events: 'events=true',
  condition: 'condition=true',
  policies: 'policies=true',
  report: 'report=true',
  metrics: 'metrics.enabled=true',
  legacy: 'legacyIptables=true',
};

const everything = Object.keys(components);
const combinations: readonly (readonly string[])[] = [[], ...everything.map((name) => [name]), everything];

let plane: ControlPlane;
const folder = mkdtempSync(join(tmpdir(), 'k8snet-manifests-'));

before(async () => {
  if (!skip) plane = await openControlPlane('10.96.0.0/16,fd00:96::/112');
});

after(async () => {
  rmSync(folder, { recursive: true, force: true });
  if (!skip) await plane.close();
});

test('every component has an overlay and a value, and is tried', () => {
  assert.deepEqual(readdirSync(join(root, 'deploy/components')).sort(), [...everything].sort());
  assert.deepEqual(readdirSync(join(root, 'deploy/overlays')).sort(), everything.map((name) => `with-${name}`).sort());
});

for (const names of combinations) {
  const what = names.length === 0 ? 'the base' : names.join(', ');

  test(`kustomize and Helm make the same of ${what}`, { skip }, () => {
    assert.deepEqual(charted(names), kustomized(names));
  });

  test(`the API server takes ${what} as it is`, { skip }, async () => {
    const apply = (words: readonly string[], input: string) =>
      runIn(
        plane.server,
        [kubectlProgram, `--kubeconfig=${join(plane.folder, 'kubeconfig')}`, 'apply', '--filename=-', ...words],
        input,
      );
    const objects = kustomized(names);
    // A dry run makes no namespace, and asks for it.
    const namespace = objects.filter(({ kind }) => kind === 'Namespace');
    await apply(['--server-side'], asList(namespace));
    const said = await apply(['--server-side', '--dry-run=server', '--validate=strict'], asList(objects));
    assert.equal(said.match(/serverside-applied/g)?.length, objects.length, said);
  });
}

for (const name of everything)
  test(`the overlay with-${name} is the base with one component`, { skip }, () => {
    assert.deepEqual(kustomize(join(root, `deploy/overlays/with-${name}`)), kustomized([name]));
  });

test('no object beyond the components is granted anything, and nothing may be changed without being asked', {
  skip,
}, () => {
  const rules = kustomized([]).flatMap((object) => (object.rules ?? []) as readonly Rule[]);
  assert.ok(rules.length > 3);
  for (const { resources, verbs, resourceNames } of rules) {
    assert.deepEqual(verbs, ['get', 'list', 'watch']);
    assert.ok(!resources.includes('*') && !resources.includes('secrets'));
    if (resources.includes('configmaps')) assert.deepEqual(resourceNames, ['kube-proxy', 'kube-proxy-config']);
  }
});

test('values that mean nothing are refused', { skip }, () => {
  for (const value of ['event=true', 'interval=soon', 'image.digest=1', 'metrics.enabled=maybe', 'tolerations=all']) {
    const words = ['template', 'k8snet', join(root, 'deploy/chart'), '--kube-version=1.36.3', '--set', value];
    const { status, stderr } = spawnSync(helm, words, { encoding: 'utf8' });
    assert.notEqual(status, 0, value);
    assert.match(stderr, /values don't meet the specifications of the schema/);
  }
});

test('what the chart takes beside the components comes to the Pod', { skip }, () => {
  const values = {
    'image.repository': 'registry.example/k8snet',
    'image.digest': `sha256:${'a'.repeat(64)}`,
    'imagePullSecrets[0].name': 'pull',
    interval: '30s',
    settle: '20s',
    'priorityClass.create': 'false',
    'priorityClass.name': 'system-node-critical',
    'podLabels.team': 'net',
    'podAnnotations.note': 'x',
    'resources.limits.memory': '1Gi',
  };
  const objects = render(Object.entries(values).map(([name, value]) => `${name}=${value}`));
  assert.equal(
    objects.find(({ kind }) => kind === 'PriorityClass' || kind === 'Namespace'),
    undefined,
  );
  const daemonSet = objects.find(({ kind }) => kind === 'DaemonSet');
  assert.ok(daemonSet);
  const { template } = daemonSet.spec as DaemonSet['spec'];
  const [agent] = template.spec.containers;
  assert.equal(agent?.image, `registry.example/k8snet@sha256:${'a'.repeat(64)}`);
  assert.deepEqual(agent?.args, ['agent', '--interval=30s', '--settle=20s']);
  assert.equal(agent?.resources.limits.memory, '1Gi');
  assert.equal(template.spec.priorityClassName, 'system-node-critical');
  assert.deepEqual(template.spec.imagePullSecrets, [{ name: 'pull' }]);
  assert.equal(template.metadata.labels.team, 'net');
  assert.equal(template.metadata.labels['app.kubernetes.io/name'], 'k8snet-agent');
  assert.equal(template.metadata.annotations.note, 'x');
});

test('helm finds no fault with the chart', { skip }, () => {
  execFileSync(helm, ['lint', '--strict', '--kube-version=1.36.3', join(root, 'deploy/chart')], { stdio: 'pipe' });
});

interface KubernetesObject {
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace?: string; readonly labels?: Record<string, string> };
  readonly rules?: unknown;
  readonly spec?: unknown;
}

interface Rule {
  readonly resources: readonly string[];
  readonly resourceNames?: readonly string[];
  readonly verbs: readonly string[];
}

interface DaemonSet {
  readonly spec: {
    readonly template: {
      readonly metadata: { readonly labels: Record<string, string>; readonly annotations: Record<string, string> };
      readonly spec: {
        readonly priorityClassName: string;
        readonly imagePullSecrets: readonly object[];
        readonly containers: readonly {
          readonly image: string;
          readonly args: readonly string[];
          readonly resources: { readonly limits: { readonly memory: string } };
        }[];
      };
    };
  };
}

function kustomized(names: readonly string[]): readonly KubernetesObject[] {
  const own = mkdtempSync(join(folder, 'k-'));
  const path = (to: string) => relative(own, join(root, 'deploy', to));
  const kustomization = { resources: [path('base')], components: names.map((name) => path(`components/${name}`)) };
  writeFileSync(join(own, 'kustomization.yaml'), JSON.stringify(kustomization));
  return kustomize(own);
}

function kustomize(path: string): readonly KubernetesObject[] {
  return objectsOf(execFileSync(kubectlProgram, ['kustomize', path], { encoding: 'utf8' }));
}

function charted(names: readonly string[]): readonly KubernetesObject[] {
  return render(['namespace.create=true', ...names.map((name) => components[name] ?? '')]).map(withoutHelm);
}

function render(values: readonly string[]): readonly KubernetesObject[] {
  const words = ['template', 'k8snet', join(root, 'deploy/chart'), '--namespace=k8snet', '--kube-version=1.36.3'];
  const sets = values.flatMap((value) => ['--set', value]);
  return objectsOf(execFileSync(helm, [...words, ...sets], { encoding: 'utf8' }));
}

/** What Helm wants to find its objects again by is not on what kustomize makes. */
function withoutHelm(object: KubernetesObject): KubernetesObject {
  const { 'helm.sh/chart': chart, 'app.kubernetes.io/managed-by': by, ...rest } = object.metadata.labels ?? {};
  const { 'app.kubernetes.io/instance': instance, ...labels } = rest;
  assert.deepEqual([chart?.replace(/-[\d.]+$/, ''), by, instance], ['k8snet-agent', 'Helm', 'k8snet']);
  return { ...object, metadata: { ...object.metadata, labels } };
}

function objectsOf(text: string): readonly KubernetesObject[] {
  const keyOf = ({ kind, metadata }: KubernetesObject) => `${kind}/${metadata.namespace ?? ''}/${metadata.name}`;
  return parseAllDocuments(text)
    .map((document) => document.toJS() as KubernetesObject)
    .sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
}

function asList(items: readonly object[]): string {
  return JSON.stringify({ apiVersion: 'v1', kind: 'List', items });
}
