import { ipPort } from '../../common/addresses/ipPort.ts';
import type { Connection, NodeRules } from '../nodeRules.ts';
import type { RuleChain } from '../ruleChain.ts';
import { everyTool } from '../ruleKinds.ts';
import { type DumpPlace, linesOf, numberAt, numbersOf } from './chainLines.ts';

/**
 * What is at a place of a dump: a rule, an element, the name of the chain that begins there, or a tracked connection;
 * undefined: none of these.
 */
export function textAt(dump: NodeRules, place: DumpPlace): string | undefined {
  for (const { tables } of everyTool(dump)) {
    for (const table of tables.values()) {
      for (const chain of table.chains.values()) {
        const text = inChain(chain, place);
        if (text !== undefined) return text;
        if (chain.declaredAt === place.line && chain.file === place.file) return `chain ${chain.name} of ${table.name}`;
      }
    }
  }
  const own = dump.connections.find(({ flow, file }) => flow.line === place.line && file === place.file);
  return own && connectionText(own);
}

function connectionText({ flow: { original, reply, isUnreplied } }: Connection): string {
  const from = ipPort(original.source, original.sourcePort);
  const to = ipPort(original.destination, original.destinationPort);
  const really = ipPort(reply.source, reply.sourcePort);
  return `the connection from ${from} to ${to}, sent on to ${really}${isUnreplied ? ', which has not answered' : ''}`;
}

function inChain(chain: RuleChain, { file, line }: DumpPlace): string | undefined {
  // Most chains end before the line or begin after it: these are not split.
  if (chain.lineNumbers === undefined && chain.files === undefined) {
    if (chain.file !== file || chain.firstLine === 0 || chain.firstLine > line) return undefined;
    if (chain.text.length + chain.firstLine < line) return undefined;
    return linesOf(chain)[line - chain.firstLine];
  }
  const at = numbersOf(chain).findIndex(
    (_, index) => numberAt(chain, index) === line && (chain.files?.[index] ?? chain.file) === file,
  );
  return at === -1 ? undefined : linesOf(chain)[at];
}
