import { createHash } from 'node:crypto';

/** Beginnings of the names of files in the store's file area. */
export const CHUNKS = 'chunks/';
export const NAMED_BY_ROWS = ['bundles/', 'maps/'] as const;

/** Beginning of the names of an organization's chunks. Each has its own, so that none learns what others uploaded. */
export function chunksOf(organization: string): string {
  const owner = createHash('sha256').update(organization.toLowerCase()).digest('hex').slice(0, 16);
  return `${CHUNKS}${owner}/`;
}

export const chunkFile = (organization: string, checksum: string): string => `${chunksOf(organization)}${checksum}`;

/** Names of an upload, and of the compact form of a map, by the SHA-256 of their content. */
export const bundleFile = (sha256: string): string => `bundles/${sha256.slice(0, 2)}/${sha256}`;
export const mapFile = (sha256: string): string => `maps/${sha256.slice(0, 2)}/${sha256}`;
