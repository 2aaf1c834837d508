import { modeFacts } from '../../common/proxy/modeFacts.ts';
import type { ProxyMode } from '../../common/proxy/proxyMode.ts';
import type { Report } from '../../diagnostics/diagnostic.ts';
import type { KubeVersion } from '../../dialect/version.ts';
import { compiledAsDumped } from '../../diff/settle/compiledAsDumped.ts';
import { compileForDump } from '../../diff/settle/compileForDump.ts';
import type { NodeRules } from '../../node/nodeRules.ts';
import { type Compiled, type CompileInput, compile } from '../../pipeline/compile.ts';
import { compileOtherwise } from '../../pipeline/compileOtherwise.ts';
import { withKubeletRules } from '../../pipeline/expected/withKubeletRules.ts';
import { type Migration, migration } from './migration.ts';
import { type MigrationNode, type MigrationSide, migrationNode, sideOfNode } from './migrationSide.ts';

/** The new mode or version of kube-proxy; what is not given stays. */
export interface MigrationTarget {
  readonly mode?: ProxyMode | undefined;
  readonly kubeVersion?: KubeVersion | undefined;
}

/**
 * Compiles the objects for both, and compares what packets meet. Today's settings and version come from the rules of the
 * node, where nobody gave them. Undefined: an error was reported.
 */
export function migrateObjects(
  input: CompileInput,
  to: MigrationTarget,
  dump: NodeRules | undefined,
  report: Report,
): Migration | undefined {
  const from = dump === undefined ? compile(input, report) : compileAsDumped(input, dump, report);
  if (from === undefined) return undefined;
  const target = { mode: to.mode ?? from.model.config.mode, kubeVersion: to.kubeVersion ?? from.kubeVersion };
  for (const mode of [from.model.config.mode, target.mode]) {
    if (!modeFacts[mode].passesThroughProxy) continue;
    const message = 'userspace mode cannot be compared: kube-proxy itself takes part in every connection';
    report({ code: 'mode-unsupported', severity: 'error', message, at: [] });
    return undefined;
  }
  const after = compileOtherwise(from, target, report);
  if (after === undefined) return undefined;
  const before = migrationNode(from, dump);
  return migration(besideKubelet(before), besideKubelet(migrationNode(after, dump, before)), dump);
}

/** Through 1.24 the kubelet drops what kube-proxy marks. */
function besideKubelet(own: MigrationNode): MigrationSide {
  return sideOfNode({ ...own, node: withKubeletRules(own.node) });
}

function compileAsDumped(input: CompileInput, dump: NodeRules, report: Report): Compiled | undefined {
  const expected = compileForDump(input, dump, report);
  return expected && compiledAsDumped(expected);
}
