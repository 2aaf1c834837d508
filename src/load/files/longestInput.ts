import { constants } from 'node:buffer';

/** Longest text that a string of this JavaScript engine holds, half a gigabyte. */
export const longestInput = constants.MAX_STRING_LENGTH;
