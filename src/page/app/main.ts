import { h, render } from 'preact';
import type { PageInput } from '../pageInput.ts';
import { App } from './App.tsx';
import { stateOf } from './address.ts';
import { createClient } from './client.ts';
import { exampleInput } from './input/exampleInput.ts';
import { firstState, type PageState } from './pageState.ts';

/**
 * Draws the page with the input that its file holds; without one, with an example. A page that is served follows the files
 * instead, and then the address says only what is looked at.
 */
const text = document.getElementById('input')?.textContent ?? '';
const given = text.trim() === '' ? exampleInput : (JSON.parse(text) as PageInput | { readonly follow: string });
const host = document.getElementById('app') as HTMLElement;
if ('follow' in given) {
  let show: ((input: PageInput) => void) | undefined;
  new EventSource(given.follow).onmessage = ({ data }: MessageEvent<string>) => {
    const input = JSON.parse(data) as PageInput;
    if (show === undefined) draw({ ...(stateOf(location.hash, firstState) ?? firstState), input, lesson: '' });
    else show(input);
  };
  const draw = (first: PageState) => {
    drawn(first, (follow) => {
      show = follow;
    });
  };
} else {
  const first = { ...firstState, input: given };
  drawn(stateOf(location.hash, first) ?? first);
}

function drawn(first: PageState, onInput?: (follow: (input: PageInput) => void) => void): void {
  host.replaceChildren();
  render(h(App, { client: createClient(), first, onInput }), host);
}
