import type { AccountStore } from '../../domain/ports/stores/account-store.ts';

const MAX_LENGTH = 100;
/** Numbers that are tried after a taken name before a random one is taken. */
const MAX_TRIES = 100;

/** Returns a valid username that is most like the name at the provider; of an address the part before the `@`. */
export function usernameLike(name: string): string {
  const plain = (name.split('@')[0] ?? '')
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[^A-Za-z0-9_.-]+/g, '-')
    .replace(/^[^A-Za-z0-9_]+/, '')
    .replace(/[^A-Za-z0-9_]+$/, '')
    .slice(0, MAX_LENGTH);
  if (plain === '') return 'user';
  return /^\d+$/.test(plain) ? `user-${plain}` : plain;
}

/** Returns a username like the name that nobody has: `ada`, `ada2`, `ada3`. */
export async function freeUsername(store: Pick<AccountStore, 'userByName'>, name: string): Promise<string> {
  const base = usernameLike(name);
  for (let number = 1; number <= MAX_TRIES; number += 1) {
    const candidate = number === 1 ? base : `${base}${number}`;
    if ((await store.userByName(candidate)) === null) return candidate;
  }
  return `${base}-${crypto.randomUUID().slice(0, 8)}`;
}
