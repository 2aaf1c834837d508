import { routeTypes } from '../../meaning.ts';

/** Types of routes and addresses as nft names them. */
export const routeTypeNumbers: ReadonlyMap<string, number> = new Map(routeTypes.map((name, at) => [name, at + 1]));
