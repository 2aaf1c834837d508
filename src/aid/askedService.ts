import type { Diagnostic } from '../diagnostics/diagnostic.ts';
import type { Cluster } from '../model/cluster.ts';
import type { PortOfService, Service } from '../model/service.ts';
import type { ServicePort } from '../model/servicePort.ts';
import type { Compiled } from '../pipeline/compile.ts';
import type { EndpointSources } from '../resolve/endpoints/endpointSources.ts';
import type { Manifest } from '../validate/kinds/manifest.ts';
import type { PodObject, ServiceObject } from '../validate/kinds/manifests.ts';

/** The Service that is asked about, with what objects have of it. */
export interface AskedService {
  readonly service: Service;
  readonly manifest: Manifest<ServiceObject>;
  /** Those that were asked for. */
  readonly ports: readonly PortOfService[];
  /** As kube-proxy has them, in each family; a headless Service has none. */
  readonly servicePorts: readonly ServicePort[];
  /** It leaves the Service to another proxy than kube-proxy. */
  readonly hidingLabel: string | undefined;
  /** Pods that the selector finds, but for those that have ended; undefined: the Service has no selector, or the input has no Pods of its namespace. */
  readonly pods: readonly Manifest<PodObject>[] | undefined;
  readonly sources: EndpointSources;
  /** The objects have all EndpointSlices that there are: a Service without one has no endpoints. */
  readonly hasAllSlices: boolean;
  /** And all Pods. */
  readonly hasAllPods: boolean;
  /** And all policies. */
  readonly hasAllPolicies: boolean;
  readonly cluster: Cluster;
  readonly compiled: Compiled;
  /** Of the objects, all of them. */
  readonly diagnostics: readonly Diagnostic[];
}
