import { escapeJson } from '../common/text/escapeText.ts';
import { formatKubeVersion } from '../dialect/version.ts';
import type { Compiled } from '../pipeline/compile.ts';
import type { Route, ServicePlan } from '../plan/plan.ts';
import type { Artefact } from './artefact.ts';
import { healthChecks } from './healthChecks.ts';
import type { PolicyFiles } from './policies/policyArtefacts.ts';

/** Version of the JSON output; `schema/compile-output.schema.json` describes it. Raised when a field changes its meaning. */
const compileSchemaId = 'k8snet.compile/v1';

/**
 * A compile run as JSON: target, Services with their decisions, and every artefact as lines. Written in pieces, one
 * Service or about 20,000 lines at a time.
 */
export function* jsonForm(compiled: Compiled, artefacts: readonly Artefact[], policy?: PolicyFiles): Iterable<string> {
  const { model, kubeVersion, plans } = compiled;
  yield `{\n  "schema": "${compileSchemaId}",\n`;
  yield `  "kubeVersion": ${JSON.stringify(formatKubeVersion(kubeVersion))},\n`;
  yield `  "mode": ${JSON.stringify(model.config.mode)},\n`;
  yield `  "node": ${JSON.stringify({ name: model.node.name, ip: model.node.ip, zone: model.node.zone })},\n`;
  yield '  "services": [';
  let separator = '\n';
  for (const plan of plans) {
    for (const service of plan.services) {
      yield `${separator}    ${escapeJson(JSON.stringify(serviceJson(service)))}`;
      separator = ',\n';
    }
  }
  yield `${separator === '\n' ? '' : '\n  '}],\n`;
  yield `  "healthChecks": ${escapeJson(JSON.stringify(healthChecks(plans)))},\n`;
  if (policy !== undefined) {
    const { backend, policies, size } = policy;
    yield `  "policy": ${JSON.stringify({ backend, policies, ...size })},\n`;
  }
  yield '  "artefacts": {';
  separator = '\n';
  for (const artefact of artefacts) {
    if (artefact.form === 'script') continue;
    let isFirst = true;
    for (const lines of linesOf(artefact)) {
      const items = lines.map((line) => escapeJson(JSON.stringify(line))).join(',\n      ');
      yield isFirst ? `${separator}    ${JSON.stringify(artefact.name)}: [\n      ${items}` : `,\n      ${items}`;
      isFirst = false;
    }
    if (isFirst) continue;
    yield '\n    ]';
    separator = ',\n';
  }
  yield `${separator === '\n' ? '' : '\n  '}}\n}\n`;
}

function serviceJson(plan: ServicePlan): Record<string, unknown> {
  const { port } = plan;
  return {
    family: port.family,
    namespace: port.namespace,
    name: port.name,
    portName: port.portName,
    protocol: port.protocol,
    displayName: plan.displayName,
    clusterIP: port.clusterIP,
    port: port.port,
    nodePort: port.nodePort === 0 ? null : port.nodePort,
    externalIPs: plan.externalIPs,
    loadBalancerIPs: plan.loadBalancerIPs,
    sourceRanges: plan.sourceRanges,
    affinitySeconds: plan.affinitySeconds ?? null,
    healthCheckNodePort: port.healthCheckNodePort === 0 ? null : port.healthCheckNodePort,
    internal: routeJson(plan.internal),
    external: plan.isExternallyAccessible ? routeJson(plan.external) : null,
    endpoints: plan.all.map((endpoint) => ({
      address: endpoint.address,
      ready: endpoint.isReady,
      serving: endpoint.isServing,
      terminating: endpoint.isTerminating,
      local: endpoint.isLocal,
    })),
    clusterEndpoints: plan.cluster.map((endpoint) => endpoint.address),
    localEndpoints: plan.local.map((endpoint) => endpoint.address),
  };
}

function routeJson(route: Route): Partial<Route> {
  return route.kind === 'balance' ? route : { kind: route.kind };
}

/** Lines of an artefact, a piece at a time; a piece may end inside a line. */
function* linesOf(artefact: Artefact): Iterable<readonly string[]> {
  let rest = '';
  for (const piece of artefact.text()) {
    const lines = (rest + piece).split('\n');
    rest = lines.pop() as string;
    if (lines.length > 0) yield lines;
  }
  if (rest !== '') yield [rest];
}
