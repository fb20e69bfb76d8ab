import type { LocationQuery } from 'vue-router';

/** Returns a parameter of the address; empty when it is absent, or given several times. */
export function queryText(query: LocationQuery, name: string): string {
  const { [name]: given } = query;
  return typeof given === 'string' ? given : '';
}
