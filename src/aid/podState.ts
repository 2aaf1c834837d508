import { namespaceOf } from '../validate/fields/describe.ts';
import type { ContainerStatusObject, PodObject } from '../validate/kinds/manifests.ts';

/** Why a Pod is not ready, in the words of kubelet and scheduler; undefined: it is ready. */
export function whyNotReady({ metadata, status }: PodObject): string | undefined {
  const conditions = status?.conditions ?? [];
  const ready = conditions.find(({ type }) => type === 'Ready');
  if (metadata.deletionTimestamp) return 'it is being deleted';
  if (ready?.status === 'True') return undefined;
  const scheduled = conditions.find(({ type }) => type === 'PodScheduled');
  if (scheduled?.status === 'False') return said('no node takes it', scheduled.reason, scheduled.message);
  const { name, kind, reason, message } = stuckContainer({ status }) ?? {};
  if (kind !== undefined)
    return reason === undefined ? `${kind} ${name} has not ended` : said(`${kind} ${name} waits`, reason, message);
  if (status?.phase === 'Pending') return 'its phase is Pending';
  if (ready === undefined) return 'it has no Ready condition';
  return said('its condition Ready is False', ready.reason, ready.message);
}

interface StuckContainer {
  readonly name: string;
  readonly kind: 'container' | 'init container';
  /** Undefined: it runs, and the others wait for it. */
  readonly reason: string | undefined;
  readonly message?: string | null | undefined;
}

/** What a Pod waits for: init containers come one after another, and containers after them. */
function stuckContainer({ status }: Pick<PodObject, 'status'>): StuckContainer | undefined {
  const init = status?.initContainerStatuses ?? [];
  const first = waiting(init, 'init container').find(({ reason }) => reason !== initializing);
  if (first !== undefined) return first;
  const [own] = waiting(status?.containerStatuses ?? [], 'container');
  // Sidecars, which run all the time, are started before the one that the Pod waits for.
  const last = init.filter(({ state }) => state?.running).at(-1);
  if (own?.reason !== initializing || last === undefined) return own;
  return { name: last.name ?? '?', kind: 'init container', reason: undefined };
}

/** The kubelet's word for whatever comes later. */
const initializing = 'PodInitializing';

function waiting(list: readonly ContainerStatusObject[], kind: StuckContainer['kind']): readonly StuckContainer[] {
  return list.flatMap(({ name, state }) => {
    const { reason, message } = state?.waiting ?? {};
    return reason ? [{ name: name ?? '?', kind, reason, message }] : [];
  });
}

/** How to see more of a Pod that is not ready: a container that never started has no log. */
export function podCommands(pod: PodObject): string {
  const { metadata, status } = pod;
  const where = `kubectl -n ${namespaceOf(metadata)}`;
  const describe = `\`${where} describe pod ${metadata.name}\``;
  const stuck = stuckContainer(pod);
  const hasCrashed = stuck?.reason === 'CrashLoopBackOff';
  if (stuck?.reason !== undefined && !hasCrashed) return describe;
  const isOne = (status?.initContainerStatuses ?? []).length + (status?.containerStatuses ?? []).length < 2;
  const own = stuck !== undefined && isContainerName.test(stuck.name) ? ` -c ${stuck.name}` : ' --all-containers';
  const which = isOne ? '' : own;
  return `${describe}, \`${where} logs ${metadata.name}${which}${hasCrashed ? ' --previous' : ''}\``;
}

/** A status may have any text; names of containers are DNS labels. */
const isContainerName = /^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$/;

function said(what: string, reason: string | null | undefined, message: string | null | undefined): string {
  const first = message?.split('\n')[0]?.trim();
  const words = [reason, first].filter((each) => each !== undefined && each !== null && each !== '');
  return words.length === 0 ? what : `${what}: ${words.join(': ')}`;
}
