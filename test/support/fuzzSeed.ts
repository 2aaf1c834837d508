/** Where the random choices of a fuzzer begin: another place every time, unless `FUZZ_SEED` repeats a run. */
export const fuzzSeed = Number(process.env.FUZZ_SEED ?? Date.now() % 2 ** 31);
