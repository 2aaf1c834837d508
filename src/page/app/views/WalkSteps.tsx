import { useEffect, useRef, useState } from 'preact/hooks';
import { Wide } from '../Wide.tsx';
import { partTitles, type TraceStep } from './traceSteps.ts';

export interface WalkStepsProps {
  readonly steps: readonly TraceStep[];
  readonly step: number;
  readonly onStep: (step: number) => void;
}

/** Steps with one of them at hand: forth and back by buttons and arrows, or by themselves. */
export function WalkSteps({ steps, step: asked, onStep }: WalkStepsProps) {
  const step = Math.min(asked, steps.length - 1);
  const [isPlaying, setPlaying] = useState(false);
  const rows = useRef<HTMLTableSectionElement>(null);
  useEffect(() => {
    if (!isPlaying) return undefined;
    if (step === steps.length - 1) {
      setPlaying(false);
      return undefined;
    }
    const timer = setTimeout(() => onStep(step + 1), playedEvery);
    return () => clearTimeout(timer);
  }, [isPlaying, step, steps.length]);
  const shown = useRef(step);
  useEffect(() => {
    if (shown.current !== step) rows.current?.children[step]?.scrollIntoView({ block: 'nearest' });
    shown.current = step;
  }, [step]);
  const go = (to: number) => {
    setPlaying(false);
    onStep(Math.max(0, Math.min(to, steps.length - 1)));
  };
  const move = (event: KeyboardEvent) => {
    const to = {
      ArrowRight: step + 1,
      ArrowDown: step + 1,
      ArrowLeft: step - 1,
      ArrowUp: step - 1,
      Home: 0,
      End: steps.length - 1,
    }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    go(to);
  };
  return (
    <section class="walked" onKeyDown={move} aria-label="Steps">
      <p class="row">
        <button type="button" onClick={() => go(0)} disabled={step === 0}>
          First
        </button>
        <button type="button" onClick={() => go(step - 1)} disabled={step === 0}>
          Back
        </button>
        <button type="button" onClick={() => go(step + 1)} disabled={step === steps.length - 1}>
          Next
        </button>
        <button
          type="button"
          aria-pressed={isPlaying}
          onClick={() => setPlaying(!isPlaying)}
          disabled={step === steps.length - 1}
        >
          Play
        </button>
        <span role="status">{`Step ${step + 1} of ${steps.length}`}</span>
      </p>
      <Current step={steps[step]} />
      <Wide label="All steps; arrow keys go through them" kind="walk-steps">
        <table>
          <caption>All steps</caption>
          <thead>
            <tr>
              {['Step', 'Packet', 'Hook', 'Table', 'Chain', 'Rule', 'What happens', 'It is then'].map((title) => (
                <th scope="col" key={title}>
                  {title}
                </th>
              ))}
            </tr>
          </thead>
          <tbody ref={rows}>
            {steps.map(({ part, event, what, packet, mark }, at) => (
              <tr key={`${part} ${at}`} aria-current={at === step ? 'step' : undefined} onClick={() => go(at)}>
                <td>{at + 1}</td>
                <td>{partTitles[part]}</td>
                <td>{event?.hook ?? 'end'}</td>
                <td>{event?.table ?? ''}</td>
                <td>{event?.chain ?? ''}</td>
                <td>{event?.rule ?? ''}</td>
                <td>{what}</td>
                <td>{mark === '' ? packet : `${packet}${packet === '' ? '' : ', '}mark ${mark}`}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </Wide>
    </section>
  );
}

/** Milliseconds: long enough to read a rule. */
const playedEvery = 1500;

function Current({ step }: { readonly step: TraceStep | undefined }) {
  if (step === undefined) return null;
  const { part, event, what, packet, mark } = step;
  return (
    <div class="explained" aria-live="polite">
      <p>
        <strong>{partTitles[part]}</strong>
        {event === undefined
          ? ', at the end'
          : `, ${event.hook}: table ${event.table}, chain ${event.chain}${event.rule === null ? '' : `, rule ${event.rule}`}`}
        {': '}
        {what}
      </p>
      {event?.text !== undefined && <code>{event.text}</code>}
      {event?.file !== undefined && (
        <span class="quiet"> {`${event.file}${event.line === undefined ? '' : `:${event.line}`}`}</span>
      )}
      {packet !== '' && <p class="mono">{mark === '' ? packet : `${packet}, mark ${mark}`}</p>}
    </div>
  );
}
