import { useState } from 'preact/hooks';
import type { PoliciesAnswer } from '../../protocol.ts';
import { commandLine } from '../commandLine.ts';
import { Choice } from '../input/Choice.tsx';
import { Problems } from '../Problems.tsx';
import type { Change, PageState } from '../pageState.ts';
import { Take } from '../Take.tsx';
import { useAnswer } from '../useAnswer.ts';
import type { WrittenPlace } from '../useLight.ts';
import { Wide } from '../Wide.tsx';

export interface PoliciesViewProps {
  readonly state: PageState;
  readonly change: Change;
  readonly onPlace: (place: WrittenPlace) => void;
  /** Answers that the newest are compared with, by what was asked; outlives the view. */
  readonly starts: Map<string, PoliciesAnswer>;
}

/**
 * A matrix of connections; each cell shows which policy decides, and what edits have changed since the view was opened.
 */
export function PoliciesView({ state, change, onPlace, starts }: PoliciesViewProps) {
  const { policies, cell } = state;
  const { answer, isCurrent, failure } = useAnswer('policies', policies);
  const [, setRestarts] = useState(0);
  const key = `${JSON.stringify(policies)} ${state.lesson}`;
  if (answer !== undefined && answer.names.length > 0 && isCurrent && !starts.has(key)) starts.set(key, answer);
  const start = starts.get(key);
  const restart = () => {
    starts.clear();
    setRestarts((count) => count + 1);
  };
  const changes = answer === undefined || start === undefined ? undefined : changesBetween(start, answer);
  return (
    <section class="view" aria-labelledby="policies-title">
      <h2 id="policies-title">Who may connect to whom</h2>
      <div class="fields">
        <Choice
          label="Rows"
          value={policies.rows}
          options={[
            ['pods', 'Pods'],
            ['namespaces', 'namespaces'],
          ]}
          onValue={(rows) => change({ policies: { ...policies, rows: rows as 'pods' }, cell: undefined })}
        />
        <Choice
          label="IP family"
          value={policies.family}
          options={[
            ['ipv4', 'IPv4'],
            ['ipv6', 'IPv6'],
          ]}
          onValue={(family) => change({ policies: { ...policies, family: family as 'ipv4' }, cell: undefined })}
        />
      </div>
      {answer !== undefined && <Matrix answer={answer} state={state} change={change} changes={changes ?? noChanges} />}
      {changes !== undefined && changes.size > 0 && (
        <p class="row">
          <span role="status">
            {changes.size === 1 ? '1 cell has changed' : `${changes.size} cells have changed`} since this view was
            opened; what stood there before is struck out.
          </span>
          <button type="button" onClick={restart}>
            Compare with now
          </button>
        </p>
      )}
      {cell !== undefined && answer !== undefined && policies.rows === 'pods' && (
        <Connection cell={cell} answer={answer} onPort={(port) => change({ cell: { ...cell, port } })} />
      )}
      {answer !== undefined && answer.names.length > 0 && <Take what="matrix" command={commandLine(state)} />}
      <Problems problems={answer?.problems ?? []} failure={failure} onPlace={onPlace} />
    </section>
  );
}

interface MatrixProps {
  readonly answer: PoliciesAnswer;
  readonly state: PageState;
  readonly change: Change;
  /** What stood in cells that have changed, by `cellKey`. */
  readonly changes: ReadonlyMap<string, string>;
}

function Matrix({ answer, state, change, changes }: MatrixProps) {
  const { title, names, cells, ports } = answer;
  const [asked, setAsked] = useState('');
  const wanted = asked.trim().toLowerCase();
  const found = names.flatMap((name, at) => (name.toLowerCase().includes(wanted) ? [at] : []));
  const shown = found.slice(0, mostShown);
  const { cell, policies } = state;
  const choose = (from: string, to: string, text: string) => {
    if (policies.rows === 'namespaces') change({ policies: { ...policies, rows: 'pods' } });
    else change({ cell: { from, to, port: /^\d+\/\w+/.exec(text)?.[0] ?? ports[to] ?? '80/tcp' } });
  };
  if (names.length === 0) return null;
  return (
    <>
      {names.length > mostShown && (
        <label class="field">
          <span>Only names with</span>
          <input type="search" value={asked} onInput={(event) => setAsked(event.currentTarget.value)} />
        </label>
      )}
      {found.length > mostShown && <p role="status">{`${mostShown} of ${found.length} are shown.`}</p>}
      <Wide label="Table of connections" kind="matrix">
        <table>
          <caption>{title}: senders down, receivers across</caption>
          <thead>
            <tr>
              <th scope="col">from \ to</th>
              {shown.map((at) => (
                <th scope="col" key={names[at]}>
                  {names[at]}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {shown.map((row) => (
              <tr key={names[row]}>
                <th scope="row">{names[row]}</th>
                {shown.map((column) => {
                  const { text = '', unknown = 0 } = cells[row]?.[column] ?? {};
                  const [from = '', to = ''] = [names[row], names[column]];
                  const isChosen = cell?.from === from && cell.to === to;
                  const before = changes.get(cellKey(from, to));
                  return (
                    <td key={to} class={`${stateOf(text, unknown)}${before === undefined ? '' : ' changed'}`}>
                      {text === '-' ? (
                        <span class="row">-</span>
                      ) : (
                        <button
                          type="button"
                          aria-pressed={isChosen}
                          aria-label={`${from} to ${to}: ${before === undefined ? '' : `${before} `}${text}`}
                          onClick={() => choose(from, to, text)}
                        >
                          {before === undefined ? (
                            text
                          ) : (
                            <>
                              <del>{before}</del> {text}
                            </>
                          )}
                        </button>
                      )}
                    </td>
                  );
                })}
              </tr>
            ))}
          </tbody>
        </table>
      </Wide>
    </>
  );
}

const mostShown = 40;
const noChanges: ReadonlyMap<string, string> = new Map();

function cellKey(from: string, to: string): string {
  return JSON.stringify([from, to]);
}

/** Cells that changed, with their previous content. Pods that come or go do not change a cell. */
function changesBetween(start: PoliciesAnswer, now: PoliciesAnswer): ReadonlyMap<string, string> {
  const changes = new Map<string, string>();
  if (start === now) return changes;
  const places = new Map(start.names.map((name, at) => [name, at]));
  for (const [row, from] of now.names.entries())
    for (const [column, to] of now.names.entries()) {
      const before = start.cells[places.get(from) ?? -1]?.[places.get(to) ?? -1]?.text;
      if (before !== undefined && before !== now.cells[row]?.[column]?.text) changes.set(cellKey(from, to), before);
    }
  return changes;
}

function stateOf(text: string, unknown: number): string {
  if (text === '-') return 'nobody';
  if (unknown > 0) return 'unknown';
  return text === 'all' || text === 'none' ? text : 'some';
}

interface ConnectionProps {
  readonly cell: NonNullable<PageState['cell']>;
  readonly answer: PoliciesAnswer;
  readonly onPort: (port: string) => void;
}

function Connection({ cell, answer: { names, parties }, onPort }: ConnectionProps) {
  const partyOf = (name: string) => parties[names.indexOf(name)] ?? name;
  const { from, to, port } = cell;
  const { answer } = useAnswer('connection', { from: partyOf(from), to: partyOf(to), port });
  return (
    <>
      <h3>{`${from} to ${to}`}</h3>
      <label class="field">
        <span>Port</span>
        <input type="text" value={port} onInput={(event) => onPort(event.currentTarget.value)} />
      </label>
      <pre class="answer" role="status">
        {answer?.text ?? ''}
      </pre>
    </>
  );
}
