import type { ClientKey } from '../../api/keys-api.ts';

/** Number of characters that identify a key. */
const SHOWN = 13;

/** Shortens a key: enough to recognise it, too little to use it. */
export function shortKey({ public_key: key }: ClientKey): string {
  return key.length <= SHOWN ? key : `${key.slice(0, SHOWN)}…`;
}
