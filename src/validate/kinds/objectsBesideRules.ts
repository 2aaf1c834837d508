import type { Labels, Maybe, ObjectMeta } from './objectMeta.ts';

/** `networking.k8s.io/v1`, and the fields of v1beta1 that it dropped. */
export interface IngressObject {
  readonly apiVersion: string;
  readonly metadata: ObjectMeta;
  readonly spec?: Maybe<{
    readonly ingressClassName?: Maybe<string>;
    readonly defaultBackend?: Maybe<IngressBackendObject>;
    /** v1beta1. */
    readonly backend?: Maybe<IngressBackendObject>;
    readonly tls?: Maybe<readonly { readonly hosts?: Maybe<readonly string[]>; readonly secretName?: Maybe<string> }[]>;
    readonly rules?: Maybe<
      readonly {
        readonly host?: Maybe<string>;
        readonly http?: Maybe<{
          readonly paths?: Maybe<
            readonly {
              readonly path?: Maybe<string>;
              readonly pathType?: Maybe<string>;
              readonly backend?: Maybe<IngressBackendObject>;
            }[]
          >;
        }>;
      }[]
    >;
  }>;
}

export interface IngressBackendObject {
  readonly service?: Maybe<{
    readonly name?: Maybe<string>;
    readonly port?: Maybe<{ readonly name?: Maybe<string>; readonly number?: Maybe<number> }>;
  }>;
  readonly resource?: Maybe<object>;
  /** v1beta1. */
  readonly serviceName?: Maybe<string>;
  readonly servicePort?: Maybe<number | string>;
}

export interface SecretObject {
  readonly metadata: ObjectMeta;
  /** Base64. */
  readonly data?: Maybe<Labels>;
  readonly stringData?: Maybe<Labels>;
}

export interface ConfigMapObject {
  readonly metadata: ObjectMeta;
  readonly data?: Maybe<Labels>;
  readonly binaryData?: Maybe<Labels>;
}

export interface BlockAffinityObject {
  readonly metadata: ObjectMeta;
  readonly spec: {
    readonly cidr: string;
    readonly node: string;
    readonly state?: Maybe<string>;
    readonly deleted?: Maybe<string | boolean>;
  };
}
