import { Option } from 'commander';

/** What `-o` of commands that print the rules of a node gives. */
export type RulesForm = (typeof forms)[number];

const forms = ['save', 'restore', 'script', 'json', 'ipvsadm-list'] as const;

export function rulesFormOption(): Option {
  return new Option(
    '-o, --output <form>',
    'save: as the kernel shows them; restore: as kube-proxy writes them; script: shell; json; ipvsadm-list: as ipvsadm -Ln shows IPVS mode',
  )
    .choices(forms)
    .default('save');
}
