import type { ClientKey } from '../../api/keys-api.ts';

/** Characters that tell keys apart. */
const SHOWN = 13;

/** Enough of a key to recognise it, and not enough to use it. */
export function shortKey({ public_key: key }: ClientKey): string {
  return key.length <= SHOWN ? key : `${key.slice(0, SHOWN)}…`;
}
