import dagre from '@dagrejs/dagre';
import type { ServiceMap, ServiceWay } from '../../../public/core.ts';

/** A Service port as a drawing: who comes by which way, what is decided, who gets it. */
export interface ServiceGraph {
  readonly width: number;
  readonly height: number;
  readonly boxes: readonly GraphBox[];
  readonly lines: readonly GraphLine[];
}

export interface GraphBox {
  readonly id: string;
  readonly kind: 'sender' | 'way' | 'decision' | 'endpoint' | 'end';
  readonly lines: readonly string[];
  /** Of its left upper corner. */
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export interface GraphLine {
  readonly id: string;
  readonly points: readonly { readonly x: number; readonly y: number }[];
  readonly label: string;
  readonly labelAt: { readonly x: number; readonly y: number } | undefined;
}

/** Ways with the same decision share it; of many endpoints the first are drawn. */
export function serviceGraph(map: ServiceMap): ServiceGraph {
  const graph = new dagre.graphlib.Graph();
  graph.setGraph({ rankdir: 'LR', nodesep: 14, ranksep: 48, marginx: 8, marginy: 8 });
  graph.setDefaultEdgeLabel(() => ({}));
  const boxes = new Map<string, Pick<GraphBox, 'kind' | 'lines'>>();
  const box = (id: string, kind: GraphBox['kind'], ...lines: readonly string[]) => {
    if (boxes.has(id)) return id;
    boxes.set(id, { kind, lines });
    graph.setNode(id, { width: widthOf(...lines), height: lines.length * lineHeight + 16 });
    return id;
  };
  const line = (from: string, to: string, label = '') =>
    graph.setEdge(from, to, { label, width: label === '' ? 0 : widthOf(label), height: lineHeight, labelpos: 'c' });
  for (const way of map.ways) {
    const own = box(`way ${way.kind} ${way.address}`, 'way', wayTitles[way.kind], way.address);
    line(box(`sender ${senderOf(way)}`, 'sender', ...senderLines(way)), own);
    const decision = box(
      `decision ${decisionOf(way, map)} ${masqueradeOf(way)}`,
      'decision',
      ...decisionLines(way, map),
    );
    line(own, decision);
    for (const { address, isLocal, of } of way.endpoints.slice(0, mostDrawn)) {
      line(
        decision,
        box(`endpoint ${address}`, 'endpoint', address, isLocal ? 'on this node' : 'elsewhere'),
        shareOf(of),
      );
    }
    const more = way.endpoints.length - mostDrawn;
    if (more > 0) line(decision, box('more', 'end', `${more} more`), shareOf(way.endpoints[0]?.of));
  }
  dagre.layout(graph);
  return drawn(graph, boxes);
}

const lineHeight = 18;
const mostDrawn = 24;

/** Letters of the page's font are narrower than this. */
function widthOf(...lines: readonly string[]): number {
  return Math.max(...lines.map((text) => text.length)) * 7.6 + 20;
}

export const wayTitles: Readonly<Record<ServiceWay['kind'], string>> = {
  clusterIP: 'cluster IP',
  externalIP: 'external IP',
  loadBalancerIP: 'load balancer IP',
  nodePort: 'node port',
};

export function senderOf({ kind, sourceRanges }: ServiceWay): string {
  if (sourceRanges.length > 0) return `only ${sourceRanges.join(', ')}`;
  return kind === 'clusterIP' ? 'Pods and nodes' : 'everybody';
}

function senderLines(way: ServiceWay): readonly string[] {
  const { sourceRanges } = way;
  if (sourceRanges.length < 2) return [senderOf(way)];
  const more = sourceRanges.length - 3;
  return ['only', ...sourceRanges.slice(0, 3), ...(more > 0 ? [`and ${more} more`] : [])];
}

/** What is decided, in one sentence. */
export function decisionOf({ route, endpoints }: ServiceWay, { affinitySeconds }: ServiceMap): string {
  if (route.kind === 'reject') return 'refused: there is no endpoint';
  if (route.kind === 'drop') return 'dropped: no endpoint on this node, and the policy is Local';
  const whom = route.over === 'local' ? 'endpoints on this node' : 'all endpoints';
  const stays = affinitySeconds === undefined ? '' : `; a client stays for ${affinitySeconds} s`;
  return `shared among ${whom} (${endpoints.length})${stays}`;
}

/** With which source it goes on. */
export function masqueradeOf({ route }: ServiceWay): string {
  if (route.kind !== 'balance') return '';
  return {
    never: 'keeps its source',
    offCluster: "gets the node's address unless a Pod of this node sends",
    always: "gets the node's address",
  }[route.masquerade];
}

function decisionLines(way: ServiceWay, map: ServiceMap): readonly string[] {
  const masquerade = masqueradeOf(way);
  return [...decisionOf(way, map).split(/(?<=[:;]) /), ...(masquerade === '' ? [] : wrapped(masquerade))];
}

function wrapped(text: string): readonly string[] {
  if (text.length < 34) return [text];
  const at = text.lastIndexOf(' ', 34);
  return [text.slice(0, at), text.slice(at + 1)];
}

export function shareOf(of: number | undefined): string {
  if (of === undefined) return 'by the scheduler';
  return of === 1 ? 'all' : `1/${of}`;
}

function drawn(
  graph: InstanceType<typeof dagre.graphlib.Graph>,
  boxes: ReadonlyMap<string, Pick<GraphBox, 'kind' | 'lines'>>,
): ServiceGraph {
  const { width = 0, height = 0 } = graph.graph() as { readonly width?: number; readonly height?: number };
  return {
    width,
    height,
    boxes: [...boxes].map(([id, own]) => {
      const {
        x,
        y,
        width: wide,
        height: high,
      } = graph.node(id) as Required<Pick<GraphBox, 'x' | 'y' | 'width' | 'height'>>;
      return { ...own, id, x: x - wide / 2, y: y - high / 2, width: wide, height: high };
    }),
    lines: graph.edges().map((edge) => {
      const {
        points,
        label = '',
        x,
        y,
      } = graph.edge(edge) as unknown as {
        points: GraphLine['points'];
        label?: string;
        x?: number;
        y?: number;
      };
      return {
        id: `${edge.v} ${edge.w}`,
        points,
        label,
        labelAt: label === '' || x === undefined || y === undefined ? undefined : { x, y },
      };
    }),
  };
}
