import { parseTime } from '../../common/text/parseTime.ts';
import type { Report } from '../../diagnostics/diagnostic.ts';
import type { Cluster } from '../../model/cluster.ts';
import type { Service } from '../../model/service.ts';
import type { PodObject } from '../../validate/kinds/manifests.ts';

/** Whose environment it is: that of a container, or of any that would be made now. */
export interface EnvSubject {
  readonly namespace: string;
  readonly pod: PodObject | undefined;
  readonly containerName: string;
  readonly ignoresOrder: boolean;
}

/**
 * The Services in a container's environment, in byte order of their names: those of its namespace that have a cluster
 * IP, unless the Pod switches that off, and always `kubernetes` of `default`. Services that were made after the
 * container started are not among them.
 */
export function visibleServices(cluster: Cluster, subject: EnvSubject, report: Report): readonly Service[] {
  const hasLinks = subject.pod?.spec?.enableServiceLinks !== false;
  const candidates = cluster.services.filter(
    (service) =>
      service.kind === 'clusterIP' && (isMaster(service) || (hasLinks && service.namespace === subject.namespace)),
  );
  const present = subject.pod === undefined || subject.ignoresOrder ? candidates : before(candidates, subject, report);
  const replacesMaster = present.some((service) => service.name === 'kubernetes' && !isMaster(service));
  return present
    .filter((service) => !(replacesMaster && isMaster(service)))
    .sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
}

function isMaster({ id }: Service): boolean {
  return id === 'default/kubernetes';
}

/** The Services that were there when the container started; equal and unknown times count as there. */
function before(services: readonly Service[], subject: EnvSubject, report: Report): readonly Service[] {
  const started = startOf(subject, report);
  if (started === undefined) return services;
  const late: Service[] = [];
  const present = services.filter((service) => {
    const created = service.createdAt === '' ? undefined : readTime(service.createdAt, `Service ${service.id}`, report);
    const isLate = created !== undefined && created > started;
    if (isLate) late.push(service);
    return !isLate;
  });
  for (const service of late) {
    report({
      code: 'service-after-pod',
      severity: 'note',
      message: `Service ${service.id} was made after container ${subject.containerName} started, so its variables are not there`,
      at: [service.origin],
      hint: 'a container that is started again gets them; --ignore-order shows them all',
    });
  }
  return present;
}

function startOf({ pod, containerName }: EnvSubject, report: Report): bigint | undefined {
  const running = pod?.status?.containerStatuses?.find(({ name }) => name === containerName)?.state?.running;
  const text = running?.startedAt || pod?.status?.startTime || pod?.metadata.creationTimestamp;
  return text ? readTime(text, `Pod ${pod?.metadata.name}`, report) : undefined;
}

function readTime(text: string, whose: string, report: Report): bigint | undefined {
  const time = parseTime(text);
  if (time === undefined) {
    report({
      code: 'bad-value',
      severity: 'error',
      message: `${whose} has a time that is not in the form of RFC 3339: ${JSON.stringify(text)}`,
      at: [],
      hint: 'write it as 2020-06-02T10:00:05Z, or take it out',
    });
  }
  return time;
}
