import { isIP } from 'node:net';
import type { EventRequest, EventUser } from '../../../domain/events/event.ts';
import { isRecord, setOwn } from '../../../lib/own-property.ts';
import { lenientText } from './bounds/lenient-text.ts';
import { TEXT, TREE } from './bounds/limits.ts';
import type { Notes } from './bounds/notes.ts';
import { trimBag } from './bounds/trim-tree.ts';

/** Value by which a client asks for the address that the request comes from. */
const AUTO_IP = '{{auto}}';
/** Platforms of programs on users' devices, where the sender's address is the user's. */
const DEVICE_PLATFORMS = new Set(['javascript', 'cocoa', 'objc']);
const KNOWN = new Set(['id', 'username', 'name', 'email', 'ip_address', 'data']);

export type InferIp = 'auto' | 'never' | 'legacy';

/** Parses `sdk.settings.infer_ip`: absent means legacy, an unknown word means never. */
export function parseInferIp(sdk: unknown): InferIp {
  const settings = isRecord(sdk) && isRecord(sdk.settings) ? sdk.settings : {};
  const word = settings.infer_ip ?? 'legacy';
  return word === 'auto' || word === 'legacy' ? word : 'never';
}

/**
 * Normalises the user and the user's address by the rules of the protocol. Takes the address in the event; for
 * `{{auto}}` the sender. Else takes the web server's REMOTE_ADDR, or for programs on users' devices the sender. Infers
 * nothing from an event that says never. Replaces `{{auto}}` in `request.env` too.
 */
export function normaliseUser(
  raw: unknown,
  request: EventRequest | null,
  sender: { readonly clientIp: string | null; readonly inferIp: InferIp; readonly platform: string },
  notes: Notes,
): EventUser | null {
  const clientIp = sender.inferIp === 'never' ? null : sender.clientIp;
  const remote = remoteAddress(request, clientIp);
  const user = userOf(isRecord(raw) ? raw : {}, clientIp, notes);
  if (user.ip_address === null && sender.inferIp !== 'never') {
    const fromSender = sender.inferIp === 'auto' || DEVICE_PLATFORMS.has(sender.platform);
    user.ip_address = remote ?? (fromSender ? clientIp : null);
  }
  return isEmpty(user) ? null : user;
}

function remoteAddress(request: EventRequest | null, clientIp: string | null): string | null {
  const remote = request?.env.REMOTE_ADDR;
  if (request === null || typeof remote !== 'string') {
    return null;
  }
  if (remote === AUTO_IP) {
    request.env.REMOTE_ADDR = clientIp;
    return clientIp;
  }
  return isIP(remote) === 0 ? null : remote;
}

function userOf(raw: Record<string, unknown>, clientIp: string | null, notes: Notes): EventUser {
  notes.at('user');
  const user = {
    id: lenientText(raw.id, TEXT.userText, notes, 'id'),
    username: lenientText(raw.username, TEXT.userText, notes, 'username'),
    email: lenientText(raw.email, TEXT.email, notes, 'email'),
    name: lenientText(raw.name, TEXT.userText, notes, 'name'),
    ip_address: ipAddress(raw.ip_address, clientIp, notes),
    data: userData(raw, notes),
  };
  notes.at();
  return user;
}

function ipAddress(raw: unknown, clientIp: string | null, notes: Notes): string | null {
  if (typeof raw !== 'string' || raw.trim() === '') {
    return null;
  }
  const address = raw.trim();
  if (address === AUTO_IP) {
    return clientIp;
  }
  if (isIP(address) !== 0) {
    return address;
  }
  notes.dropped('ip_address', 'is no IP address');
  return null;
}

/** Merges `data` and the other members of the user that have no field of their own. */
function userData(raw: Record<string, unknown>, notes: Notes): Record<string, unknown> {
  const data = trimBag(raw.data, TREE.userData, notes, 'data') ?? {};
  let others: Record<string, unknown> | null = null;
  for (const key in raw) {
    if (!KNOWN.has(key) && raw[key] !== null) {
      others ??= {};
      setOwn(others, key, raw[key]);
    }
  }
  const trimmed = others === null ? {} : (trimBag(others, TREE.userData, notes, 'data') ?? {});
  for (const key of Object.keys(trimmed)) {
    if (!Object.hasOwn(data, key)) {
      setOwn(data, key, trimmed[key]);
    }
  }
  return data;
}

function isEmpty(user: EventUser): boolean {
  return (
    user.id === null &&
    user.username === null &&
    user.email === null &&
    user.name === null &&
    user.ip_address === null &&
    Object.keys(user.data).length === 0
  );
}
