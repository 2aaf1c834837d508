import { jsonString } from '../../common/text/jsonString.ts';
import type { Report } from '../../diagnostics/diagnostic.ts';
import type { Cluster } from '../../model/cluster.ts';
import type { Manifest } from '../../validate/kinds/manifest.ts';
import type { ContainerObject, PodObject } from '../../validate/kinds/manifests.ts';
import type { Emitted } from '../emitted.ts';
import { findPod } from '../findPod.ts';
import { ownVariables } from './ownVariables.ts';
import { type ServiceVariable, serviceVariables } from './serviceVariables.ts';
import { visibleServices } from './visibleServices.ts';

/** Of a container of a Pod, or of any container that would be made in a namespace now. */
export type EnvSettings = {
  readonly ignoresOrder: boolean;
  readonly form: EnvForm;
} & (
  | { readonly kind: 'namespace'; readonly namespace: string }
  | {
      readonly kind: 'pod';
      readonly pod: { readonly namespace: string; readonly name: string };
      /** Undefined: the first. */
      readonly container: string | undefined;
    }
);

export type EnvForm = 'env' | 'export' | 'dotenv' | 'json';

/** The variables of Services in a container's environment, in every form; undefined: an error was reported. */
export function emitEnv(cluster: Cluster, settings: EnvSettings, report: Report): Emitted | undefined {
  if (settings.kind === 'namespace') {
    const { namespace, ignoresOrder } = settings;
    const services = visibleServices(cluster, { namespace, pod: undefined, containerName: '', ignoresOrder }, report);
    return emitted(namespace, undefined, serviceVariables(services, report), settings.form, report);
  }
  const pod = findPod(cluster, settings.pod, report);
  const container = pod && findContainer(pod, settings.container, report);
  if (pod === undefined || container === undefined) return undefined;
  const { namespace, name } = settings.pod;
  const subject = {
    namespace,
    pod: pod.value,
    containerName: container.name ?? '',
    ignoresOrder: settings.ignoresOrder,
  };
  const all = serviceVariables(visibleServices(cluster, subject, report), report);
  const own = ownVariables(cluster, namespace, container, report);
  reportOverridden(all, own, pod, report);
  const variables = all.filter((variable) => !own.has(variable.name));
  return emitted(namespace, name, variables, settings.form, report);
}

function findContainer(
  { value, origin }: Manifest<PodObject>,
  wanted: string | undefined,
  report: Report,
): ContainerObject | undefined {
  const { containers, initContainers } = value.spec ?? {};
  const all = [...(containers ?? []), ...(initContainers ?? [])];
  const found = wanted === undefined ? all[0] : all.find(({ name }) => name === wanted);
  if (found !== undefined || wanted === undefined) return found ?? {};
  report({
    code: 'no-such-container',
    severity: 'error',
    message: `Pod ${value.metadata.name} has no container ${JSON.stringify(wanted)}`,
    at: [{ ...origin, path: [...origin.path, 'spec', 'containers'] }],
    hint: `its containers: ${all.map(({ name }) => name ?? '').join(', ')}`,
  });
  return undefined;
}

function reportOverridden(
  all: readonly ServiceVariable[],
  own: ReadonlySet<string>,
  { origin }: Manifest<PodObject>,
  report: Report,
): void {
  const overridden = all.filter(({ name }) => own.has(name)).map(({ name }) => name);
  if (overridden.length === 0) return;
  report({
    code: 'env-overridden',
    severity: 'note',
    message: `the container sets ${overridden.length === 1 ? 'this variable' : 'these variables'} itself: ${overridden.join(', ')}`,
    at: [origin],
  });
}

function emitted(
  namespace: string,
  pod: string | undefined,
  variables: readonly ServiceVariable[],
  form: EnvForm,
  report: Report,
): Emitted {
  const texts: Readonly<Record<EnvForm, () => Iterable<string>>> = {
    env: () => variables.map(({ name, value }) => `${name}=${value}\n`),
    export: () => exportable(variables).map(({ name, value }) => `export ${name}=${shellQuoted(value)}\n`),
    dotenv: () => variables.map(({ name, value }) => `${name}="${value.replace(/["$\\`]/g, '\\$&')}"\n`),
    json: () => [jsonForm(namespace, pod, variables)],
  };
  if (form === 'export') reportUnexportable(variables, report);
  return {
    printed: texts[form](),
    files: (Object.keys(texts) as EnvForm[]).map((each) => ({
      name: fileNames[each],
      form: 'state',
      text: texts[each],
    })),
    hasFindings: false,
  };
}

const fileNames: Readonly<Record<EnvForm, string>> = {
  env: 'service.env',
  export: 'service-env.sh',
  dotenv: 'service.dotenv',
  json: 'service-env.json',
};

/** A shell takes no name that starts with a digit, which a Service's name can since Kubernetes 1.34. */
function exportable(variables: readonly ServiceVariable[]): readonly ServiceVariable[] {
  return variables.filter(({ name }) => !/^[0-9]/.test(name));
}

function reportUnexportable(variables: readonly ServiceVariable[], report: Report): void {
  const names = variables.filter(({ name }) => /^[0-9]/.test(name)).map(({ name }) => name);
  if (names.length === 0) return;
  report({
    code: 'env-name',
    severity: 'warning',
    message: `left out, since a shell takes no name that starts with a digit: ${names.join(', ')}`,
    at: [],
  });
}

function shellQuoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

function jsonForm(namespace: string, pod: string | undefined, variables: readonly ServiceVariable[]): string {
  const value = {
    schema: 'k8snet.env/v1',
    namespace,
    pod: pod ?? null,
    variables: variables.map(({ name, value, service }) => ({ name, value, service: service.id })),
  };
  return jsonString(value);
}
