/** Whether `namespace/name:port`, as rules name it, is what was asked for. */
export type IsAsked = (service: string | undefined) => boolean;
