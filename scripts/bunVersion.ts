/** The engine of the single executables, a version of the npm package `bun`. */
export const bunVersion = '1.4.5';
