import type { Report } from '../diagnostics/diagnostic.ts';
import { objectDiagnostic } from '../diagnostics/objectDiagnostic.ts';
import type { SourceObject } from '../load/sourceObject.ts';
import { checkProxyConfiguration } from './checkProxyConfiguration.ts';
import { checkSchema } from './fields/checkSchema.ts';
import type { Complain } from './fields/complain.ts';
import type { FieldValidation } from './fields/fieldValidation.ts';
import { quote } from './fields/quote.ts';
import type { KubeProxyConfigurationObject } from './kinds/kubeProxyConfigurationObject.ts';
import type { Manifest } from './kinds/manifest.ts';
import type { ReadingProxy } from './readingProxy.ts';
import { fields, kubeproxyconfiguration } from './validators.generated.mjs';

/** Judges an object as a KubeProxyConfiguration as kube-proxy does at its start. Undefined: it has errors. */
export function validateProxyConfiguration(
  object: SourceObject,
  proxy: ReadingProxy,
  report: Report,
  unknownFields: FieldValidation = 'warn',
): Manifest<KubeProxyConfigurationObject> | undefined {
  let isRefused = false;
  const complain: Complain = (subject, problem) => {
    const diagnostic = objectDiagnostic(subject.origin, problem);
    isRefused ||= diagnostic.severity === 'error';
    report(diagnostic);
  };
  if (!isProxyConfiguration(object, complain)) return undefined;
  // The schema is that of today's kube-proxy, which has this mode no more.
  const isUserspace = proxy.hasUserspaceMode && object.value.mode === 'userspace';
  const judged = isUserspace ? { ...object, value: { ...object.value, mode: '' } } : object;
  const checked = checkSchema(judged, kind, unknownFields, complain) as KubeProxyConfigurationObject | undefined;
  if (checked === undefined) return undefined;
  const value: KubeProxyConfigurationObject = isUserspace ? { ...checked, mode: 'userspace' } : checked;
  const config = { value, origin: object.origin };
  checkProxyConfiguration(config, proxy, complain);
  return isRefused ? undefined : config;
}

const kind = { schema: 'kubeproxyconfiguration', validator: kubeproxyconfiguration, fields };

function isProxyConfiguration(object: SourceObject, complain: Complain): boolean {
  if (object.kind !== 'KubeProxyConfiguration') {
    complain(object, {
      code: 'unknown-kind',
      path: ['kind'],
      message: `expected a KubeProxyConfiguration, got ${quote(object.kind)}`,
    });
    return false;
  }
  if (object.apiVersion === apiVersion) return true;
  complain(object, {
    code: 'unknown-api-version',
    path: ['apiVersion'],
    message: `no kind "KubeProxyConfiguration" in version ${quote(object.apiVersion)}`,
    hint: `did you mean ${apiVersion}?`,
  });
  return false;
}

const apiVersion = 'kubeproxy.config.k8s.io/v1alpha1';
