import { useMemo, useState } from 'preact/hooks';
import { familyNames } from '../../../common/addresses/family.ts';
import type { ServiceMap } from '../../../public/core.ts';
import { Problems } from '../Problems.tsx';
import type { Change, PageState } from '../pageState.ts';
import { useAnswer } from '../useAnswer.ts';
import type { WrittenPlace } from '../useLight.ts';
import { Wide } from '../Wide.tsx';
import { GraphDrawing } from './GraphDrawing.tsx';
import { decisionOf, masqueradeOf, senderOf, serviceGraph, shareOf, wayTitles } from './serviceGraph.ts';

export interface MapViewProps {
  readonly state: PageState;
  readonly change: Change;
  readonly onPlace: (place: WrittenPlace) => void;
}

/** One Service port: by which ways packets come, what is decided, which endpoint gets which share. */
export function MapView({ state, change, onPlace }: MapViewProps) {
  const { answer, failure } = useAnswer('services', null);
  const maps = answer?.maps ?? [];
  const chosen = maps.find((map) => keyOf(map) === state.service) ?? maps[0];
  return (
    <section class="view" aria-labelledby="map-title">
      <h2 id="map-title">Services on the node</h2>
      {maps.length > 0 && <ServiceList maps={maps} chosen={chosen} onChosen={(service) => change({ service })} />}
      {chosen !== undefined && <ServiceDrawing map={chosen} />}
      {answer !== undefined && maps.length === 0 && <p>The input has no Services with a cluster IP.</p>}
      <Problems problems={answer?.problems ?? []} failure={failure} onPlace={onPlace} />
    </section>
  );
}

function keyOf({ name, family }: ServiceMap): string {
  return `${name} ${family}`;
}

interface ServiceListProps {
  readonly maps: readonly ServiceMap[];
  readonly chosen: ServiceMap | undefined;
  readonly onChosen: (service: string) => void;
}

function ServiceList({ maps, chosen, onChosen }: ServiceListProps) {
  const [asked, setAsked] = useState('');
  const wanted = asked.trim().toLowerCase();
  const found = maps.filter((map) => textOf(map).includes(wanted));
  const hasFamilies = new Set(maps.map(({ family }) => family)).size > 1;
  return (
    <div class="services">
      <label class="field">
        <span>Search Services by name, address or port</span>
        <input type="search" value={asked} onInput={(event) => setAsked(event.currentTarget.value)} />
      </label>
      <ul aria-label="Services">
        {found.slice(0, mostListed).map((map) => (
          <li key={keyOf(map)}>
            <button type="button" aria-pressed={map === chosen} onClick={() => onChosen(keyOf(map))}>
              {hasFamilies ? `${map.name} (${familyNames[map.family]})` : map.name}
            </button>
          </li>
        ))}
      </ul>
      <p class="quiet" role="status">
        {found.length === maps.length
          ? `${maps.length} Service ${maps.length === 1 ? 'port' : 'ports'}`
          : `${found.length} of ${maps.length} Service ports`}
        {found.length > mostListed && `; the first ${mostListed} are listed`}
      </p>
    </div>
  );
}

const mostListed = 100;

function textOf({ name, ways }: ServiceMap): string {
  return `${name} ${ways.map(({ address }) => address).join(' ')}`.toLowerCase();
}

function ServiceDrawing({ map }: { readonly map: ServiceMap }) {
  const graph = useMemo(() => serviceGraph(map), [map]);
  return (
    <>
      <h3>{map.name}</h3>
      <GraphDrawing graph={graph} title={`Ways of packets to ${map.name}; the table below says the same`} />
      <Wide label={`Table of ${map.name}`}>
        <table>
          <caption>Where packets to {map.name} go</caption>
          <thead>
            <tr>
              <th scope="col">Way in</th>
              <th scope="col">Address</th>
              <th scope="col">Who</th>
              <th scope="col">Decision</th>
              <th scope="col">Source</th>
              <th scope="col">Endpoints</th>
            </tr>
          </thead>
          <tbody>
            {map.ways.map((way) => (
              <tr key={`${way.kind} ${way.address}`}>
                <th scope="row">{wayTitles[way.kind]}</th>
                <td>{way.address}</td>
                <td>{senderOf(way)}</td>
                <td>{decisionOf(way, map)}</td>
                <td>{masqueradeOf(way)}</td>
                <td>
                  <ul>
                    {way.endpoints.map(({ address, isLocal, isTerminating, of }) => (
                      <li key={address}>
                        {shareOf(of)} to {address}
                        {isLocal ? ' on this node' : ''}
                        {isTerminating ? ', which is terminating' : ''}
                      </li>
                    ))}
                  </ul>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </Wide>
    </>
  );
}
