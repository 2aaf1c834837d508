import { useId, useState } from 'preact/hooks';
import type { Answers, WalkQuestion } from '../../protocol.ts';
import { commandLine } from '../commandLine.ts';
import { Choice } from '../input/Choice.tsx';
import { Problems } from '../Problems.tsx';
import type { Change, PageState } from '../pageState.ts';
import { Take } from '../Take.tsx';
import { useAnswer } from '../useAnswer.ts';
import type { WrittenPlace } from '../useLight.ts';
import { outcomeTitle, type Trace, traceSteps } from './traceSteps.ts';
import { WalkSteps } from './WalkSteps.tsx';

export interface WalkViewProps {
  readonly state: PageState;
  readonly change: Change;
  readonly onPlace: (place: WrittenPlace) => void;
}

/** One packet through the rules of the node, step by step; what it comes to stands on top. */
export function WalkView({ state, change, onPlace }: WalkViewProps) {
  const parties = useAnswer('parties', null).answer;
  const asked = questionOf(state.walk, parties);
  const { answer, failure } = useAnswer('walk', asked);
  const ask = (next: Partial<WalkQuestion>) =>
    change({ walk: { ...state.walk, ...asked, ...next, outcome: 0, step: 0 } });
  return (
    <section class="view" aria-labelledby="walk-title">
      <h2 id="walk-title">A packet through the node</h2>
      <div class="fields">
        <Party
          label="From"
          value={asked?.from ?? state.walk.from}
          known={parties?.from ?? []}
          onValue={(from) => ask({ from })}
        />
        <Party label="To" value={asked?.to ?? state.walk.to} known={parties?.to ?? []} onValue={(to) => ask({ to })} />
        <Choice
          label="Protocol"
          value={state.walk.proto}
          options={[['', 'tcp'], ...['udp', 'sctp', 'icmp'].map((one) => [one, one] as const)]}
          onValue={(proto) => ask({ proto })}
        />
      </div>
      {asked === undefined && (
        <p class="quiet">Name a sender and a destination: an address with its port, a Pod, a Service or node:PORT.</p>
      )}
      {asked !== undefined && answer !== undefined && (
        <Walked answer={answer} state={{ ...state, walk: { ...state.walk, ...asked } }} change={change} />
      )}
      <Problems problems={answer?.notes ?? []} failure={failure} onPlace={onPlace} />
    </section>
  );
}

/** What is not asked for yet is somebody who asks for the first Service. */
function questionOf(
  { from, to, proto }: WalkQuestion,
  known: Answers['parties'] | undefined,
): WalkQuestion | undefined {
  const whom = to === '' ? (known?.to[0] ?? '') : to;
  const who = from === '' ? (known?.from.find((one) => one.includes('/')) ?? known?.from[0] ?? '') : from;
  return whom === '' || who === '' ? undefined : { from: who, to: whom, proto };
}

interface PartyProps {
  readonly label: string;
  readonly value: string;
  readonly known: readonly string[];
  readonly onValue: (value: string) => void;
}

function Party({ label, value, known, onValue }: PartyProps) {
  const id = useId();
  // What is being typed is nobody's question yet, and nothing may take it away or put other words into the field.
  const [typed, setTyped] = useState<string>();
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <input
        id={id}
        type="text"
        list={`${id}-known`}
        value={typed ?? value}
        spellcheck={false}
        autocomplete="off"
        onFocus={(event) => setTyped(event.currentTarget.value)}
        onInput={(event) => setTyped(event.currentTarget.value)}
        onBlur={() => setTyped(undefined)}
        onChange={(event) => {
          setTyped(undefined);
          onValue(event.currentTarget.value.trim());
        }}
      />
      <datalist id={`${id}-known`}>
        {known.slice(0, 500).map((one) => (
          <option key={one} value={one} />
        ))}
      </datalist>
    </div>
  );
}

interface WalkedProps {
  readonly answer: Answers['walk'];
  readonly state: PageState;
  readonly change: Change;
}

function Walked({ answer, state, change }: WalkedProps) {
  if (answer.kind === 'problem') return <p class="answer denied">{answer.message}</p>;
  const trace = answer.trace as Trace;
  const outcome = trace.outcomes[state.walk.outcome] ?? trace.outcomes[0];
  const text = `${JSON.stringify(answer.trace, null, 2)}\n`;
  return (
    <>
      <pre class={`answer ${{ arrives: 'allowed', fails: 'denied' }[answer.verdict] ?? 'unknown'}`} data-testid="why">
        {answer.why}
      </pre>
      {trace.outcomes.length > 1 && (
        <fieldset>
          <legend>Chance decides between these ways</legend>
          {trace.outcomes.map((one, at) => (
            <label key={outcomeTitle(one)} class="radio">
              <input
                type="radio"
                name="outcome"
                checked={one === outcome}
                onChange={() => change({ walk: { ...state.walk, outcome: at, step: 0 } })}
              />
              {outcomeTitle(one)}
            </label>
          ))}
        </fieldset>
      )}
      {outcome !== undefined && (
        <WalkSteps
          steps={traceSteps(trace, outcome)}
          step={state.walk.step}
          onStep={(step) => change({ walk: { ...state.walk, step } })}
        />
      )}
      <Take what="trace" command={commandLine(state)} file={{ name: 'trace.json', text }} />
    </>
  );
}
