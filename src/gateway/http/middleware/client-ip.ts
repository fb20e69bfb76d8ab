import ipaddr from 'ipaddr.js';
import type { Context, Middleware } from 'koa';
import { LRUCache } from 'lru-cache';
import type { IncomingMessage } from 'node:http';
import { AppError } from '../../../domain/app-error.ts';

type Address = ipaddr.IPv4 | ipaddr.IPv6;
type Range = [Address, number];

/** Maximum number of hops. Longer chains are cut, because they are forged. */
const MAX_HOPS = 32;

/** Maximum number of peers whose plain address is kept. Evicts the least recently used. */
const MAX_PEERS = 1000;

/** Parses an address to its plain form (IPv4 in IPv6 unwrapped, zone removed); null for other text. */
function parseAddress(text: string | undefined): Address | null {
  if (text === undefined || text.length > 100) return null;
  const bare = text
    .trim()
    .replace(/^\[([^\]]+)\](:\d+)?$/, '$1')
    .replace(/%.*$/, '');
  if (ipaddr.IPv4.isValidFourPartDecimal(bare)) return ipaddr.IPv4.parse(bare);
  const withPort = /^([\d.]+):\d+$/.exec(bare)?.[1];
  if (withPort !== undefined) return parseAddress(withPort);
  return ipaddr.IPv6.isValid(bare) ? ipaddr.process(bare) : null;
}

/** Parses `10.0.0.0/8` or a single address. Throws `invalid_configuration` for anything else. */
function parseRange(text: string): Range {
  const trimmed = text.trim();
  if (ipaddr.isValidCIDR(trimmed)) return ipaddr.parseCIDR(trimmed);
  const address = parseAddress(trimmed);
  if (address === null) {
    throw new AppError('invalid_configuration', `trusted proxy ${trimmed} is neither an address nor a CIDR`);
  }
  return [address, address.kind() === 'ipv4' ? 32 : 128];
}

function inRange(address: Address, ranges: readonly Range[]): boolean {
  return ranges.some(([network, bits]) => network.kind() === address.kind() && address.match(network, bits));
}

/**
 * Creates the lookup of client addresses. The client is the peer. Behind trusted proxies it is the last address of
 * `X-Forwarded-For` that is not a trusted proxy. Throws `invalid_configuration`.
 */
export function createClientAddress(trustedProxies: readonly string[]): ClientAddress {
  const ranges = trustedProxies.filter((range) => range.trim() !== '').map(parseRange);
  const peers = new LRUCache<string, string>({ max: MAX_PEERS });
  /** As `parseAddress`, to text. A peer sends many requests, so its address is kept. */
  const plainPeer = (peer: string): string | null => {
    const known = peers.get(peer);
    if (known !== undefined) return known;
    const plain = parseAddress(peer)?.toString() ?? null;
    if (plain !== null) peers.set(peer, plain);
    return plain;
  };
  return {
    peerIsTrusted(peer) {
      const address = ranges.length === 0 ? null : parseAddress(peer);
      return address !== null && inRange(address, ranges);
    },
    resolve(peer, forwardedFor) {
      if (peer === undefined) return null;
      if (forwardedFor === undefined || ranges.length === 0) return plainPeer(peer);
      let current = parseAddress(peer);
      if (current === null) return null;
      const hops = forwardedFor
        .split(',', MAX_HOPS * 8)
        .slice(-MAX_HOPS)
        .reverse();
      for (const hop of hops) {
        if (!inRange(current, ranges)) break;
        const next = parseAddress(hop);
        if (next === null) break;
        current = next;
      }
      return current.toString();
    },
  };
}

export interface ClientAddress {
  peerIsTrusted(peer: string | undefined): boolean;
  /** Returns the client's address; null when the peer has none (a socket that closed meanwhile). */
  resolve(peer: string | undefined, forwardedFor: string | undefined): string | null;
}

/** Creates the middleware that must run before any use of `clientIp`. */
export function clientIpMiddleware(trustedProxies: readonly string[]): Middleware {
  const clients = createClientAddress(trustedProxies);
  return (ctx, next) => {
    ctx.state.clientAddress = clients;
    return next();
  };
}

function addressBook(ctx: Context): ClientAddress | undefined {
  return ctx.state.clientAddress as ClientAddress | undefined;
}

/**
 * Returns the address of the sender, behind trusted proxies that of their client; null when unknown. Computed on
 * demand.
 */
export function clientIp(ctx: Context): string | null {
  const book = addressBook(ctx);
  if (book === undefined) return parseAddress(ctx.req.socket.remoteAddress)?.toString() ?? null;
  return clientAddressOf(ctx.req, book);
}

/** Returns the address of the sender of a request, as `clientIp`. */
export function clientAddressOf({ socket, headers }: IncomingMessage, clients: ClientAddress): string | null {
  const header = headers['x-forwarded-for'];
  return clients.resolve(socket.remoteAddress, Array.isArray(header) ? header.join(',') : header);
}

/** Returns true when the peer is a trusted proxy, whose `X-…` headers are used. */
export function fromTrustedProxy(ctx: Context): boolean {
  return addressBook(ctx)?.peerIsTrusted(ctx.req.socket.remoteAddress) ?? false;
}

/**
 * Returns true for a request from this machine itself, not one forwarded by a proxy on this machine. A proxy elsewhere
 * cannot forward such a request, whatever `X-Forwarded-For` says.
 */
export function fromLoopback(ctx: Context): boolean {
  if (!isLoopback(parseAddress(ctx.req.socket.remoteAddress))) return false;
  const forwarded = ctx.req.headers['x-forwarded-for'] !== undefined || ctx.req.headers.forwarded !== undefined;
  if (forwarded && !fromTrustedProxy(ctx)) return false;
  return isLoopback(parseAddress(clientIp(ctx) ?? undefined));
}

function isLoopback(address: Address | null): boolean {
  return address?.range() === 'loopback';
}
