import type { Diagnostic, Report } from '../../diagnostics/diagnostic.ts';
import { dumpFileOf } from '../../live/node/dumpFileOf.ts';
import {
  type Compiled,
  compileForDump,
  diagnose,
  diff,
  type Loaded,
  readDump,
  reportProblems,
  unpackObjects,
} from '../../public/core.ts';
import { orThrow, told } from '../../public/result.ts';
import type { StoredObject } from '../follow/objectStore.ts';
import type { EndpointCounts, JudgedFile, Judgement, JudgeRequest } from './judgement.ts';

/**
 * Compares what should be on a node with what is there, as `k8snet diff` does, and examines the rules alone, as
 * `k8snet doctor` does.
 */
export async function judge({ node, objects, files, changing, otherEndpoints }: JudgeRequest): Promise<Judgement> {
  const said: Diagnostic[] = [];
  const report = (diagnostic: Diagnostic) => said.push(diagnostic);
  const loaded = await objectsOf(objects, report);
  const dump = await orThrow(
    readDump(
      files.map((file) => dumpFileOf(node, file.file, textOf(file))),
      { name: node },
    ),
  );
  const options = { node, configObjects: [], ...(otherEndpoints && { otherEndpoints }) };
  const expected = await told(compileForDump(loaded, dump, options), report);
  if (expected === undefined) return { kind: 'undecided', why: reasonOf(said) };
  const { model, kubeVersion } = expected.compiled;
  const compared = await orThrow(diff(expected, { level: 'rules', changing }));
  const alone = await orThrow(diagnose(dump));
  const known = new Set(compared.findings.map(({ code }) => code));
  // If both find the same, the comparison reports it, because it knows more.
  const further = alone.findings.filter(({ code }) => !known.has(code));
  const { chains: _, ...whole } = { ...compared, findings: [...compared.findings, ...further] };
  const notes = [
    ...compared.notes,
    ...said.filter(({ severity }) => severity === 'warning').map(({ message }) => message),
  ];
  return {
    kind: 'judged',
    problems: await reportProblems(whole),
    mode: model.config.mode,
    notes,
    report: whole,
    services: endpointsOf(expected.compiled),
    settled: JSON.stringify([kubeVersion, model.config, model.serviceCIDRs, expected.hasNfacct]),
  };
}

function endpointsOf({ plans }: Compiled): ReadonlyMap<string, EndpointCounts> {
  const counts = new Map<string, EndpointCounts>();
  for (const { family, services } of plans) {
    for (const { port, all } of services) {
      const name = `${port.namespace}/${port.name}`;
      const own = counts.get(name) ?? { ipv4: 0, ipv6: 0 };
      counts.set(name, { ...own, [family]: own[family] + all.length });
    }
  }
  return counts;
}

function textOf({ bytes }: JudgedFile): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString();
}

/** Objects in the form of a file named after the cluster; settings are read from their ConfigMap. */
function objectsOf(objects: readonly StoredObject[], report: Report): Promise<Loaded['objects']> {
  return told(
    unpackObjects(
      objects.map(({ kind, apiVersion, key, text }) => ({
        apiVersion,
        kind,
        value: { apiVersion, kind, ...(JSON.parse(text) as object) },
        origin: { file: `${kind} ${key}`, document: 0, path: [] },
      })),
    ),
    report,
  );
}

function reasonOf(said: readonly Diagnostic[]): string {
  const errors = said.filter(({ severity }) => severity === 'error').map(({ message }) => message);
  return errors.slice(0, 3).join('; ') || 'the objects cannot be compiled';
}
