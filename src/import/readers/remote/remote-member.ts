import { isRecord } from '../../../lib/own-property.ts';
import type { RemoteMember } from '../../tracker-reader.ts';
import { lineText, MAX_NAME } from './remote-values.ts';

/** Maximum characters of an e-mail address and of a role. */
const MAX_EMAIL = 254;
const MAX_ROLE = 64;
const EMAIL = /^[^\s@<>]+@[^\s@<>]+$/;

/** Reads a member of an organization; null without a valid e-mail address. */
export function remoteMember(row: unknown): RemoteMember | null {
  if (!isRecord(row)) return null;
  const user = isRecord(row.user) ? row.user : {};
  const email = lineText(row.email ?? user.email, MAX_EMAIL + 1)?.toLowerCase() ?? '';
  if (email.length > MAX_EMAIL || !EMAIL.test(email)) return null;
  const name = lineText(row.name ?? user.name, MAX_NAME);
  return {
    email,
    // Invited people have their address for a name.
    name: name?.toLowerCase() === email ? null : name,
    role: lineText(row.orgRole ?? row.role, MAX_ROLE),
  };
}
