import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { usualLadder } from '../../src/node/chains/usualLadder.ts';

const [service, one, two, three] = [
  'KUBE-SVC-AAAAAAAAAAAAAAAA',
  ...['B', 'C', 'D'].map((x) => `KUBE-SEP-${x.repeat(16)}`),
];
const mark = `-A ${service} ! -s 10.244.0.0/16 -d 10.96.0.1/32 -p tcp -m comment --comment "a/b cluster IP" -m tcp --dport 80 -j KUBE-MARK-MASQ`;

function step(target: string | undefined, share: string | undefined, comment = ''): string {
  const chance = share === undefined ? '' : ` -m statistic --mode random --probability ${share}`;
  return `-A ${service}${comment}${chance} -j ${target}`;
}

const third = step(one, '0.33333333349');
const half = step(two, '0.50000000000');
const last = step(three, undefined);

describe('a balancing chain as kube-proxy writes it', () => {
  it('gives each endpoint the same share', () => {
    assert.deepEqual(usualLadder([third, half, last].join('\n')), [one, two, three]);
    assert.deepEqual(usualLadder([mark, third, half, last].join('\n')), [one, two, three]);
    assert.deepEqual(usualLadder(last), [three]);
    const commented = ` -m comment --comment "a/b:http -> 10.0.0.1:80"`;
    assert.deepEqual(usualLadder([step(one, '0.50000000000', commented), last].join('\n')), [one, three]);
  });

  for (const [what, lines] of Object.entries({
    'with a rule lost': [third, last],
    'with shares in another order': [half, third, last],
    'without an end': [third, half],
    'with an end in the middle': [third, last, half],
    'with a share of all': [step(one, '1.00000000000'), last],
    'with another rule': [third, `-A ${service} -s 10.0.0.1/32 -j KUBE-MARK-MASQ`, half, last],
    'with a rule behind the end': [third, half, last, mark],
    'with marks for all senders': [mark.replace(' ! -s 10.244.0.0/16', ''), third, half, last],
    'with affinity': [third.replace(' -j', ' -m recent --rcheck --name x -j'), half, last],
    'without rules': [''],
  })) {
    it(`${what} is another`, () => assert.equal(usualLadder(lines.join('\n')), undefined));
  }
});
