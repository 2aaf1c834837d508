import { it } from 'node:test';
import { rollTypes } from '../../scripts/rollTypes.ts';
import { assertGolden } from '../support/golden.ts';

// What programs can count on: a change of it is a change of the version.
it('the surface of the API is the known one', () => {
  assertGolden('api/surface.ts.txt', rollTypes().surface);
});
