import { type SettingName, type Settings, settingNames } from '../../pageInput.ts';
import type { RulesAnswer } from '../../protocol.ts';
import { Choice } from './Choice.tsx';

export interface SettingsFieldsProps {
  readonly settings: Settings;
  readonly problems: RulesAnswer['settingProblems'];
  readonly onSettings: (settings: Settings) => void;
}

/** The options of the command line that say which node is compiled for. */
export function SettingsFields({ settings, problems, onSettings }: SettingsFieldsProps) {
  const set = (name: SettingName, value: string) => {
    const { [name]: _, ...others } = settings;
    onSettings(value === '' ? others : { ...others, [name]: value });
  };
  return (
    <div class="fields column">
      {settingNames.map((name) => {
        const choices = listed[name];
        if (choices !== undefined)
          return (
            <Choice
              key={name}
              label={titles[name]}
              value={settings[name] ?? ''}
              options={[['', 'not set'], ...choices.map((one) => [one, one] as const)]}
              onValue={(value) => set(name, value)}
            />
          );
        const problem = problems.find(({ setting }) => setting === name);
        return (
          <label class="field" key={name}>
            <span>{titles[name]}</span>
            <input
              type="text"
              value={settings[name] ?? ''}
              spellcheck={false}
              autocomplete="off"
              aria-invalid={problem !== undefined}
              aria-describedby={problem && `problem-${name}`}
              onInput={(event) => set(name, event.currentTarget.value)}
            />
            {problem && (
              <span class="error" id={`problem-${name}`}>
                {problem.message}
              </span>
            )}
          </label>
        );
      })}
    </div>
  );
}

const titles: Readonly<Record<SettingName, string>> = {
  mode: 'Mode of kube-proxy',
  'kube-version': 'Version of kube-proxy',
  node: 'Node',
  'node-ip': 'IP of the node',
  'cluster-cidr': 'Cluster CIDR (Pods)',
  'service-cidr': 'Service CIDR',
  'nodeport-addresses': 'Node port addresses',
  'detect-local-mode': 'How traffic of local Pods is recognized',
  'masquerade-all': 'Masquerade all',
  'assume-pods': 'Make up Pods of workloads',
  family: 'IP family',
};

const listed: Readonly<Partial<Record<SettingName, readonly string[]>>> = {
  mode: ['iptables', 'ipvs', 'nftables', 'userspace'],
  'detect-local-mode': ['ClusterCIDR', 'NodeCIDR', 'BridgeInterface', 'InterfaceNamePrefix'],
  'masquerade-all': ['true'],
  'assume-pods': ['true'],
  family: ['ipv4', 'ipv6'],
};
