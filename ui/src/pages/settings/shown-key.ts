import type { ClientKey } from '../../api/keys-api.ts';
import type { Rotation } from './rotations.ts';

/**
 * Picks the key whose DSN is shown: the active one that was used last, without those that a rotation replaces; the
 * newest one where none was used. Null without an active key.
 */
export function shownKey(keys: readonly ClientKey[], rotations: readonly Pick<Rotation, 'old'>[]): ClientKey | null {
  const active = keys.filter((key) => key.active);
  const staying = active.filter(({ id }) => rotations.every(({ old }) => old !== id));
  const usedAt = ({ last_used_at: at }: ClientKey) => (at === null ? 0 : Date.parse(at));
  const [first = null] = (staying.length > 0 ? staying : active).sort((a, b) => usedAt(b) - usedAt(a) || b.id - a.id);
  return first;
}
