/** Chunks that one file holds, and the runs that need any of them. */
interface Group {
  readonly chunks: readonly string[];
  readonly runs: ReadonlySet<number>;
  readonly size: number;
}

/** What it takes to open one more file, in bytes of a file that could be read instead. */
const opening = 30_000;

/**
 * Which file each chunk goes to, so that runs read few files, and little that they do not need: chunks of the same runs
 * are together, and with those of others if that saves more openings than it costs bytes. `used` has the chunks that each
 * usual run evaluates; all others are `rest`. That of the chunk `run` is `run`, the others have numbers.
 */
export function groupChunks(
  sizes: ReadonlyMap<string, number>,
  used: readonly (readonly string[])[],
): ReadonlyMap<string, string> {
  const files = new Map<string, string>();
  for (const [at, { chunks, runs }] of merged(equalGroups(sizes, used)).entries()) {
    const file = runs.size === 0 ? 'rest' : chunks.includes('run') ? 'run' : `part-${String(at).padStart(2, '0')}`;
    for (const chunk of chunks) files.set(chunk, file);
  }
  return files;
}

function equalGroups(sizes: ReadonlyMap<string, number>, used: readonly (readonly string[])[]): Group[] {
  const sets = used.map((names) => new Set(names));
  const groups = new Map<string, Group>();
  for (const [name, size] of sizes) {
    const runs = new Set(sets.flatMap((set, run) => (set.has(name) ? [run] : [])));
    const key = [...runs].join();
    const group = groups.get(key) ?? { chunks: [], runs, size: 0 };
    groups.set(key, { ...group, chunks: [...group.chunks, name], size: group.size + size });
  }
  return [...groups.values()];
}

function merged(groups: Group[]): readonly Group[] {
  for (;;) {
    let [best, pair] = [0, [0, 0]];
    for (const [at, one] of groups.entries()) {
      for (let other = at + 1; other < groups.length; other += 1) {
        const gain = gainOf(one, groups[other] as Group);
        if (gain > best) [best, pair] = [gain, [at, other]];
      }
    }
    if (best === 0) return groups;
    const [at, other] = pair as [number, number];
    const [removed] = groups.splice(other, 1) as [Group];
    groups[at] = together(groups[at] as Group, removed);
  }
}

function gainOf(one: Group, other: Group): number {
  let [both, onlyOne, onlyOther] = [0, 0, other.runs.size];
  for (const run of one.runs) {
    if (other.runs.has(run)) {
      both += 1;
      onlyOther -= 1;
    } else onlyOne += 1;
  }
  return both * opening - onlyOne * other.size - onlyOther * one.size;
}

function together(one: Group, other: Group): Group {
  return {
    chunks: [...one.chunks, ...other.chunks],
    runs: new Set([...one.runs, ...other.runs]),
    size: one.size + other.size,
  };
}
