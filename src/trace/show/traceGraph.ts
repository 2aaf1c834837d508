import { escapeText } from '../../common/text/escapeText.ts';
import { endText } from '../../walk/values/text.ts';
import { protocolName } from '../question/protocolName.ts';
import type { TracedOutcome, TraceResult } from '../traceResult.ts';
import { flowDestination } from './flowDestination.ts';
import { fractionText } from './fractionText.ts';
import { type TraceTree, traceTree } from './traceTree.ts';

/** The way of a packet as a graph of chains, for Mermaid or Graphviz. */
export function traceGraph(result: TraceResult, form: 'mermaid' | 'dot'): string {
  const nodes: string[] = [];
  const edges: { readonly from: number; readonly to: number; readonly label: string }[] = [];
  const node = (text: string): number => nodes.push(text) - 1;
  const { packet } = result;
  const head = `${protocolName(packet.protocol)} ${endText(packet.source, undefined)} → ${endText(packet.destination, packet.destinationPort)}`;
  grow(traceTree(result.outcomes), node(head), '', node, edges);
  return form === 'mermaid' ? mermaid(nodes, edges) : dot(nodes, edges);
}

type Edges = { readonly from: number; readonly to: number; readonly label: string }[];

function grow(tree: TraceTree, start: number, label: string, node: (text: string) => number, edges: Edges): void {
  let from = start;
  let edgeLabel = label;
  const go = (text: string) => {
    const to = node(text);
    edges.push({ from, to, label: edgeLabel });
    from = to;
    edgeLabel = '';
  };
  let last = '';
  for (const { hook, leg, chain, rule, verdict, action } of tree.events) {
    const isQuiet =
      verdict === 'end' ||
      verdict === 'return' ||
      (verdict === 'policy' && action === undefined && chain.base?.policy === 'accept');
    if (isQuiet) continue;
    const place = `${leg === 2 ? 'lo ' : ''}${hook} ${chain.table.name} ${chain.name}`;
    const what =
      rule === undefined
        ? `policy ${chain.base?.policy ?? ''}`
        : `#${rule.number}${action === undefined ? '' : ` ${action}`}`;
    const text = `${place} ${what}${verdict === 'drop' ? ' DROP' : ''}`;
    if (text !== last) go(text);
    last = text;
  }
  for (const outcome of tree.outcomes) {
    const to = node(ending(outcome));
    edges.push({ from, to, label: edgeLabel });
  }
  for (const { share, tree: further } of tree.branches) {
    grow(further, from, share === undefined ? '?' : fractionText(share), node, edges);
  }
}

function ending({ first: { flow, end } }: TracedOutcome): string {
  const to = flowDestination(flow);
  switch (end.kind) {
    case 'leaves':
      return `leaves by ${flow.outInterface ?? '?'} to ${to}`;
    case 'delivered':
      return `delivered ${to}`;
    case 'unroutable':
    case 'unknown':
      return `${end.kind}: ${end.why}`;
    default:
      return end.kind;
  }
}

function mermaid(nodes: readonly string[], edges: Edges): string {
  const lines = ['flowchart TD', ...nodes.map((text, at) => `  n${at}["${mermaidText(text)}"]`)];
  for (const { from, to, label } of edges) {
    lines.push(label === '' ? `  n${from} --> n${to}` : `  n${from} -->|"${mermaidText(label)}"| n${to}`);
  }
  return `${lines.join('\n')}\n`;
}

/** Entities as Mermaid writes them, so that no name ends a label or begins markup. */
function mermaidText(text: string): string {
  return escapeText(text).replace(/[#"<>&`[\]{}|\\]/g, (character) => `#${character.charCodeAt(0)};`);
}

function dot(nodes: readonly string[], edges: Edges): string {
  const lines = [
    'digraph trace {',
    '  node [shape=box];',
    ...nodes.map((text, at) => `  n${at} [label="${dotText(text)}"];`),
  ];
  for (const { from, to, label } of edges) {
    lines.push(`  n${from} -> n${to}${label === '' ? '' : ` [label="${dotText(label)}"]`};`);
  }
  return `${lines.join('\n')}\n}\n`;
}

function dotText(text: string): string {
  return escapeText(text).replace(/["\\]/g, (character) => `\\${character}`);
}
