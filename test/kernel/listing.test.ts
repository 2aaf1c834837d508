import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { openNamespace } from '../../src/lab/openNamespace.ts';
import { runIn } from '../../src/lab/runIn.ts';
import { listingProblems } from '../support/listingProblems.ts';
import { kernelTests } from './requirements.ts';

/** The rules of the recorded listings in this kernel, as its own iptables -L prints them. */
for (const backend of ['nft', 'legacy'] as const) {
  kernelTests([`iptables-${backend}`])(`what iptables-${backend} -L prints is read as what it saves`, async () => {
    for (const [prefix, least] of [
      ['ip', 300],
      ['ip6', 30],
    ] as const) {
      const tool = `${prefix}tables-${backend}`;
      const namespace = await openNamespace(tool);
      try {
        const recorded = readFileSync(`fixtures/iptables/listings/${tool}.save`, 'utf8');
        await runIn(namespace, ['sh', '-c', loader(tool)], wordsOf(recorded));
        const save = await runIn(namespace, [`${tool}-save`]);
        assert.ok((save.match(/^-A R\d/gm) ?? []).length >= least, `${tool} takes too few rules`);
        for (const options of ['-L', '-nL', '-nvL']) {
          const tables = ['filter', 'nat', 'mangle', 'raw'];
          const listing = await runIn(namespace, [
            'sh',
            '-c',
            tables.map((table) => listTable(tool, table, options)).join(';'),
          ]);
          assert.deepEqual(listingProblems(save, named(listing), prefix === 'ip' ? 'ipv4' : 'ipv6', options), []);
        }
      } finally {
        await namespace.close();
      }
    }
  });
}

function listTable(tool: string, table: string, options: string): string {
  return `echo '# ${tool} -t ${table} ${options}'; ${tool} -t ${table} ${options}`;
}

/** User 1000 has another name on every machine. */
function named(listing: string): string {
  return listing.replace(/(owner UID match )(?!root|0|1000|1337)[a-z]\w*/g, '$11000');
}

/** Rules that ask for sets are another tool's to make; what this kernel lacks is left out. */
function wordsOf(save: string): string {
  let table = '';
  return save
    .split('\n')
    .flatMap((line) => {
      if (line.startsWith('*')) table = line.slice(1);
      return /^-A R\d/.test(line) && !/-set /.test(line) ? `${table} ${line}` : [];
    })
    .join('\n');
}

/** Chains that rules lead to are made with them. */
function loader(tool: string): string {
  return `while IFS= read -r line; do
    table=\${line%% *}; rule=\${line#* }; chain=\${rule#-A }; chain=\${chain%% *}
    target=$(printf '%s\\n' "$rule" | sed -n 's/.* -[jg] \\([^ ]*\\).*/\\1/p')
    printf '*%s\\n:%s - [0:0]\\n%s\\nCOMMIT\\n' "$table" "$chain" "$rule" | ${tool}-restore --noflush 2>/dev/null ||
      printf '*%s\\n:%s - [0:0]\\n:%s - [0:0]\\n%s\\nCOMMIT\\n' "$table" "$chain" "$target" "$rule" | ${tool}-restore --noflush 2>/dev/null ||
      true
  done`;
}
