import { useId } from 'preact/hooks';
import { Wide } from '../Wide.tsx';
import type { GraphBox, GraphLine, ServiceGraph } from './serviceGraph.ts';

export interface GraphDrawingProps {
  readonly graph: ServiceGraph;
  readonly title: string;
}

/** Boxes and lines, as wide as the page at most; for readers of screens it is one picture with a title. */
export function GraphDrawing({ graph, title }: GraphDrawingProps) {
  const { width, height, boxes, lines } = graph;
  const arrow = useId();
  return (
    <Wide kind="drawing" label="Drawing">
      <svg role="img" aria-label={title} viewBox={`0 0 ${width} ${height}`} width={width} height={height}>
        <defs>
          <marker id={arrow} viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto">
            <path d="M0 0 8 4 0 8z" class="arrow" />
          </marker>
        </defs>
        {lines.map((line) => (
          <Line key={line.id} line={line} arrow={arrow} />
        ))}
        {boxes.map((box) => (
          <Box key={box.id} box={box} />
        ))}
      </svg>
    </Wide>
  );
}

function Line({ line: { points, label, labelAt }, arrow }: { readonly line: GraphLine; readonly arrow: string }) {
  const path = points.map(({ x, y }, at) => `${at === 0 ? 'M' : 'L'}${x.toFixed(1)} ${y.toFixed(1)}`).join('');
  return (
    <g class="line">
      <path d={path} marker-end={`url(#${arrow})`} />
      {labelAt !== undefined && (
        <text x={labelAt.x} y={labelAt.y + 4}>
          {label}
        </text>
      )}
    </g>
  );
}

function Box({ box: { kind, lines, x, y, width, height } }: { readonly box: GraphBox }) {
  return (
    <g class={`box ${kind}`}>
      <rect x={x} y={y} width={width} height={height} rx="5" />
      {lines.map((text, at) => (
        <text key={text} x={x + width / 2} y={y + 21 + at * 18}>
          {text}
        </text>
      ))}
    </g>
  );
}
