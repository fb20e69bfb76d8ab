/** What a store's address tells before the store is opened. */
export interface StoreTraits {
  /**
   * The store is a server that several gateways share: it may be away while they start, each thread writes to
   * it over a connection of its own, and what is encrypted in it needs the same key everywhere. Otherwise it
   * is a file of this machine, which is there or not.
   */
  readonly shared: boolean;
}

export function storeTraits(url: string): StoreTraits {
  return { shared: /^mongodb(\+srv)?:\/\//.test(url) };
}
