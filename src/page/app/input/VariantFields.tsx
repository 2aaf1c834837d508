import type { Variant } from '../../protocol.ts';
import { useAnswer } from '../useAnswer.ts';
import { Choice } from './Choice.tsx';

export interface VariantFieldsProps {
  /** Before each label, where there are two of them: `Left: `. */
  readonly name: string;
  readonly variant: Variant;
  readonly hasDump: boolean;
  readonly compiled: { readonly mode: string; readonly version: string } | undefined;
  readonly onVariant: (variant: Variant) => void;
}

/** Mode, version, form and family of the rules. */
export function VariantFields({ name, variant, hasDump, compiled, onVariant }: VariantFieldsProps) {
  const { mode, version, form, family } = variant;
  const versions = useAnswer('versions', { mode: mode === '' ? (compiled?.mode ?? '') : mode }).answer ?? [];
  const isDump = form === 'dump';
  const unset = (value: string | undefined) => (value ? `as set (${value})` : 'as set');
  return (
    <div class="fields">
      <Choice
        label={`${name}Form`}
        value={form}
        options={[
          ['save', 'as the kernel shows them'],
          ['restore', 'as kube-proxy writes them'],
          ['script', 'shell script'],
          ['json', 'JSON'],
          ['ipvsadm-list', 'ipvsadm -Ln'],
          ...(hasDump ? ([['dump', 'the dump']] as const) : []),
        ]}
        onValue={(next) => onVariant({ ...variant, form: next as Variant['form'] })}
      />
      {!isDump && (
        <>
          <Choice
            label={`${name}Mode`}
            value={mode}
            options={[
              ['', unset(mode === '' ? compiled?.mode : undefined)],
              ...(['iptables', 'ipvs', 'nftables', 'userspace'] as const).map((one) => [one, one] as const),
            ]}
            onValue={(next) => onVariant({ ...variant, mode: next, version: '' })}
          />
          <Choice
            label={`${name}kube-proxy`}
            value={version}
            options={[
              ['', unset(version === '' ? compiled?.version : undefined)],
              ...[...versions].reverse().map((one) => [one, one] as const),
            ]}
            onValue={(next) => onVariant({ ...variant, version: next })}
          />
          <Choice
            label={`${name}Family`}
            value={family}
            options={[
              ['both', 'of the Services'],
              ['ipv4', 'IPv4'],
              ['ipv6', 'IPv6'],
            ]}
            onValue={(next) => onVariant({ ...variant, family: next as Variant['family'] })}
          />
        </>
      )}
    </div>
  );
}
