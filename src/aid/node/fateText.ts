import type { Walked } from './nodeWalks.ts';

/** What becomes of a packet, in a verb: of several endpoints, some may answer. */
export function fateText({ why: { verdict, causes } }: Walked): string {
  switch (verdict) {
    case 'arrives':
      return 'arrives';
    case 'unknown':
      return 'unknown';
    case 'fails':
      return causes.some(({ code }) => code === 'some-ways-only') ? 'does not always arrive' : 'does not arrive';
  }
}
