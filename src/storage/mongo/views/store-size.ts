import type { mongo } from 'mongoose';
import type { StoreSize } from '../../../domain/ports/maintenance-store.ts';
import type { MongoContext } from '../context.ts';

export async function size({ connection }: MongoContext): Promise<StoreSize | null> {
  const stats = await connection.db?.command({ dbStats: 1, freeStorage: 1 }, { readPreference: 'primary' });
  return stats === undefined ? null : sizeOf(stats);
}

/**
 * Files of the server do not shrink when documents are deleted; what is free in them is used again, and a
 * mongod tells how much that is. Of a server that does not (an engine of another kind, a router of old shards)
 * only the size of its files is known. Null when it tells neither.
 */
export function sizeOf(stats: mongo.Document): StoreSize | null {
  const [data, index] = [numberOf(stats.storageSize), numberOf(stats.indexSize)];
  if (data === null || index === null) return null;
  const [freeData, freeIndex] = [numberOf(stats.freeStorageSize), numberOf(stats.indexFreeStorageSize)];
  if (freeData === null || freeIndex === null) return { used: data + index, falls: 'never' };
  return { used: Math.max(data - freeData, 0) + Math.max(index - freeIndex, 0), falls: 'later' };
}

function numberOf(value: unknown): number | null {
  return typeof value === 'number' ? value : null;
}
