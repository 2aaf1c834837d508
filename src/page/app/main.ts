import { h, render } from 'preact';
import type { PageInput } from '../pageInput.ts';
import { App } from './App.tsx';
import { stateOf } from './address.ts';
import { createClient } from './client.ts';
import { exampleInput } from './exampleInput.ts';
import { firstState } from './pageState.ts';

/** Draws the page with the input that its file holds; without one, with an example. */
const given = document.getElementById('input')?.textContent ?? '';
const input: PageInput = given.trim() === '' ? exampleInput : (JSON.parse(given) as PageInput);
const host = document.getElementById('app') as HTMLElement;
host.replaceChildren();
const first = { ...firstState, input };
render(h(App, { client: createClient(), first: stateOf(location.hash, first) ?? first }), host);
