import type { Family } from '../common/addresses/family.ts';
import type { Report } from '../diagnostics/diagnostic.ts';
import type { Loaded } from '../load/loaded.ts';
import type { JudgeOptions } from '../pipeline/judgeConnection.ts';
import type { ReadPolicies, ReadPoliciesOptions } from '../pipeline/read/readPolicies.ts';
import type { PolicyMatrix } from '../policy/policyMatrix.ts';
import { type PortSpec, parsePortSpec } from '../policy/portSpec.ts';
import type { TestOutcome, TestRequest } from '../policy/testPolicy.ts';
import { areObjects } from './options/areObjects.ts';
import { areOptions, type OptionRules } from './options/checkOptions.ts';
import { judgeRules, readPoliciesRules } from './options/optionRules.ts';
import { oneOf, text, type ValueRule } from './options/valueRule.ts';
import { type Result, resultOf } from './result.ts';

/** Whether NetworkPolicies let connections pass. */

/** Which connection is asked about. */
export interface Connection {
  /** `namespace/pod`, an address, `outside` … as `k8snet policy test --from` takes it. */
  readonly from: string;
  /** As `from`, or `svc/namespace/name`. */
  readonly to: string;
  /** `80`, `53/udp`, `http`, `icmp`. Undefined: which ports are open? */
  readonly port?: string | PortSpec | undefined;
  /** Undefined: every family that both speak. */
  readonly family?: Family | undefined;
}

const portRule: ValueRule = (value) =>
  typeof value === 'object' || (typeof value === 'string' && parsePortSpec(value.trim()) !== undefined)
    ? undefined
    : 'a number or a name, like 80, 53/udp, http or icmp';

const connectionRules: OptionRules<Connection> = {
  from: text,
  to: text,
  port: portRule,
  family: oneOf('ipv4', 'ipv6'),
};

/** Says whether the NetworkPolicies of the objects let a connection pass. */
export async function judge(
  objects: Loaded['objects'],
  connection: Connection,
  options: JudgeOptions = {},
): Promise<Result<TestOutcome | undefined>> {
  return resultOf(async (report) => {
    const request = requestOf(connection, report);
    const areFine = [areObjects(objects, report), areOptions(options, judgeRules, report)];
    if (areFine.includes(false) || request === undefined) return undefined;
    return (await import('../pipeline/judgeConnection.ts')).judgeConnection(objects, request, report, options);
  });
}

/** Says the same of many connections: the objects are read once. What is undefined among them stays so. */
export async function judgeAll(
  objects: Loaded['objects'],
  connections: readonly (Connection | undefined)[],
  options: JudgeOptions = {},
): Promise<Result<readonly (TestOutcome | undefined)[] | undefined>> {
  return resultOf(async (report) => {
    const requests = connections.map((connection) => connection && requestOf(connection, report));
    const areFine = connections.every((connection, index) => connection === undefined || requests[index] !== undefined);
    const areKnown = [areObjects(objects, report), areOptions(options, judgeRules, report)];
    if (areKnown.includes(false) || !areFine) return undefined;
    return (await import('../pipeline/judgeConnection.ts')).judgeConnections(objects, requests, report, options);
  });
}

function requestOf(connection: Connection, report: Report): TestRequest | undefined {
  if (!areOptions(connection, connectionRules, report)) return undefined;
  const { from, to, port, family } = connection;
  return { from, to, port: typeof port === 'string' ? parsePortSpec(port.trim()) : port, family };
}

/** Reads NetworkPolicies, and the Pods and Namespaces that they are about. */
export async function readPolicies(
  objects: Loaded['objects'],
  options: ReadPoliciesOptions = {},
): Promise<Result<ReadPolicies | undefined>> {
  return resultOf(async (report) => {
    const areFine = [areObjects(objects, report), areOptions(options, readPoliciesRules, report)];
    if (areFine.includes(false)) return undefined;
    return (await import('../pipeline/read/readPolicies.ts')).readPolicies(objects, options, report);
  });
}

/** A matrix, and by row and column how `judge` is asked about it: Pods by name, what is outside by an address. */
export interface PolicyTable extends PolicyMatrix {
  readonly parties: readonly string[];
}

/** Whom a matrix is about. */
export interface MatrixOptions {
  readonly rows: 'namespaces' | 'pods';
  readonly family: Family;
}

const matrixRules: OptionRules<MatrixOptions> = { rows: oneOf('namespaces', 'pods'), family: oneOf('ipv4', 'ipv6') };

/** Which senders may connect to which receivers under the NetworkPolicies: namespaces, or all Pods. */
export async function policyMatrix(
  { model }: ReadPolicies,
  options: MatrixOptions,
): Promise<Result<PolicyTable | undefined>> {
  return resultOf(async (report) => {
    if (!areOptions(options, matrixRules, report)) return undefined;
    const { rows, family } = options;
    const [{ policyMatrix: matrixOf }, { externalClasses }] = await Promise.all([
      import('../policy/policyMatrix.ts'),
      import('../policy/rules/externalClasses.ts'),
    ]);
    const zoom = rows === 'pods' ? ({ kind: 'pods', namespaces: [] } as const) : ({ kind: 'namespaces' } as const);
    const matrix = matrixOf(model, { zoom, port: undefined, family });
    const outside = new Map(externalClasses(model, family).map(({ name, address }) => [name, address]));
    return { ...matrix, parties: matrix.names.map((name) => outside.get(name) ?? name) };
  });
}

/** What `k8snet policy test` prints of an outcome. */
export async function policyText(outcome: TestOutcome): Promise<string> {
  if (outcome.kind === 'unanswerable') return outcome.message;
  const [{ checkText }, { othersText }] = await Promise.all([
    import('../policy/text/verdictText.ts'),
    import('../model/othersText.ts'),
  ]);
  const first = othersText([...new Set(outcome.checks.flatMap(({ others }) => others))]);
  return [...(first === undefined ? [] : [`${first}\n`]), ...outcome.checks.map(checkText)].join('');
}
