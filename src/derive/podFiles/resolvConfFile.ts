import { jsonString } from '../../common/text/jsonString.ts';
import type { Emitted } from '../emitted.ts';
import type { ResolvConf } from '../podDns/parseResolvConf.ts';

export type Runtime = 'docker' | 'containerd';

/** The text of a Pod's /etc/resolv.conf as its container runtime writes it, and the same as JSON. */
export function resolvConfFile(conf: ResolvConf, runtime: Runtime, form: 'text' | 'json'): Emitted {
  const text = [textForm(conf, runtime)];
  const json = [jsonForm(conf)];
  return {
    printed: form === 'json' ? json : text,
    files: [
      { name: 'resolv.conf', form: 'state', text: () => text },
      { name: 'resolv.json', form: 'state', text: () => json },
    ],
    hasFindings: false,
  };
}

/** containerd and CRI-O begin with the search line, Docker with the servers. */
function textForm({ nameservers, searches, options }: ResolvConf, runtime: Runtime): string {
  const servers = nameservers.map((server) => `nameserver ${server}\n`).join('');
  const search = searches.length === 0 ? '' : `search ${searches.join(' ')}\n`;
  const last = options.length === 0 ? '' : `options ${options.join(' ')}\n`;
  return runtime === 'containerd' ? search + servers + last : servers + search + last;
}

function jsonForm({ nameservers, searches, options }: ResolvConf): string {
  const value = { schema: 'k8snet.resolv/v1', nameservers, searches, options };
  return jsonString(value);
}
