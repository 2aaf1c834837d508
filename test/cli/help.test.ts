import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { executable, runCli } from '../support/runCli.ts';

/** The help page of a command for a terminal of so many columns. */
function helpOf(command: string, columns: number): string {
  const { status, stdout, stderr } = runCli(
    [...command.split(' '), '--help'].filter((word) => word !== ''),
    {
      environment: { COLUMNS: String(columns) },
    },
  );
  assert.equal(`${status} ${stderr}`, '0 ', command);
  return stdout;
}

const pages = ['', 'compile', 'check-service', 'trace', 'lab', 'policy', 'policy test', 'emit', 'emit dns', 'check'];

describe('help pages', { skip: executable !== undefined && 'they are the same in the executable' }, () => {
  for (const columns of [40, 52, 66, 79, 120, 200]) {
    it(`fit into ${columns} columns`, () => {
      for (const page of pages) {
        const long = helpOf(page, columns)
          .split('\n')
          // A word that is longer has no place to break; the example of k8snet.yaml is kept as it is.
          .filter((line) => line.length > columns && /\S\s+\S/.test(line) && !/^ {6}options: \{|^ {2}.*\\$/.test(line));
        assert.deepEqual(long, [], page);
      }
    });
  }

  it('say the same at any width', () => {
    const words = (text: string) => text.replace(/ \\\n/g, ' ').split(/\s+/).join(' ');
    for (const page of pages) {
      const narrow = words(helpOf(page, 40));
      for (const columns of [72, 80, 150]) {
        const all = words(helpOf(page, columns));
        assert.deepEqual(all.split(' ').sort(), narrow.split(' ').sort(), page);
      }
    }
  });

  it('break commands so that a shell reads them as one', () => {
    const examples = helpOf('compile', 44).split('Examples:\n')[1] ?? '';
    assert.match(examples, /^ {2}k8snet compile -f cluster\.yaml --node n1 \\\n {4}--mode nftables --family ipv6$/m);
    assert.match(examples, /^ {4}\| ssh n1 sudo nft -f -$/m);
  });

  it('take 80 columns where COLUMNS is no number and no terminal is there', () => {
    for (const columns of ['', 'wide', '-5', '0', '1e3']) {
      const { stdout } = runCli(['diff', '--help'], { environment: { COLUMNS: columns } });
      assert.equal(stdout, helpOf('diff', 80), columns);
    }
  });
});
