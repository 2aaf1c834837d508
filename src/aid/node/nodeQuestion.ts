import type { ProxyMode } from '../../common/proxy/proxyMode.ts';
import type { CompileInput } from '../../pipeline/compile.ts';
import type { AskedService } from '../askedService.ts';
import type { PolicyAnswers } from '../policyAnswers.ts';

/** What every node is asked. */
export interface NodeQuestion {
  /** `namespace/name`. */
  readonly service: string;
  readonly port: string | undefined;
  /** Who sends; undefined: a Pod, the node and somebody outside. */
  readonly from: string | undefined;
  /** Undefined: no objects were given, and only the rules show Services. */
  readonly objects:
    | { readonly input: CompileInput; readonly asked: AskedService; readonly policies: PolicyAnswers | undefined }
    | undefined;
  /** Services (`namespace/name`) that changed while objects and nodes were read. */
  readonly changing?: ReadonlySet<string> | undefined;
}

/** Whether a Service port, `namespace/name:port` or `namespace/name`, is the one that is asked about. */
export function isAsked({ service, port, objects }: NodeQuestion, name: string | undefined): boolean {
  if (name === undefined) return false;
  const [id, portName] = name.split(':');
  if (id !== service) return false;
  if (port === undefined || portName === undefined) return true;
  if (portName === port) return true;
  return objects?.asked.ports.some((each) => each.name === portName) ?? false;
}

/** kube-proxy's mode, where somebody says it: else it is what the rules of a node show. */
export function modeGiven({ objects }: NodeQuestion): ProxyMode | undefined {
  if (objects === undefined) return undefined;
  const { isModeKnown, model } = objects.asked.compiled;
  return isModeKnown ? model.config.mode : undefined;
}
