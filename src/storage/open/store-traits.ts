/** Traits of a store, known from its address before it is opened. */
export interface StoreTraits {
  /**
   * True for a server that several gateways share. It may be unavailable while they start, each thread has its own
   * connection, and encrypted data needs the same key everywhere. False for a local file, which exists or not.
   */
  readonly shared: boolean;
}

export function storeTraits(url: string): StoreTraits {
  return { shared: /^mongodb(\+srv)?:\/\//.test(url) };
}
