import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const TEXT = readFileSync(join(import.meta.dirname, '..', '..', 'docs', 'scaling.md'), 'utf8');

/** Collections that the guide shards in its `mongosh` lines. */
export function shardedCollections(): string[] {
  return [...TEXT.matchAll(/sh\.shardCollection\("errgate\.(\w+)", \{ p: 1, _id: 1 \}\)/g)].map(
    ([, name = '']) => name,
  );
}

/** Collections that stay on the primary shard according to the guide. */
export function unshardedCollections(): string[] {
  const [, paragraph = ''] = /\nEverything else stays \*\*unsharded\*\*([^]*?)\n\n/.exec(TEXT) ?? [];
  return [...paragraph.matchAll(/`([\w.]+)`/g)].map(([, name = '']) => name);
}

/** Names of queries, or `prefix.*`, by the bold heading of their entry in the guide. */
export function queriesByReach(): Map<string, string[]> {
  const [, section = ''] = /\n### Which queries reach what\n([^]*?)\n#/.exec(TEXT) ?? [];
  const entries = section.matchAll(/^- \*\*(.+?)\*\*([^]*?)(?=\n- |\n\n)/gm);
  return new Map(
    [...entries].map(([, reach = '', queries = '']) => [
      reach,
      [...queries.matchAll(/`([a-z_]+\.[a-z_*]+)`/g)].map(([, name = '']) => name),
    ]),
  );
}

/** Queries that reach all shards according to the guide. */
export function scatteringQueries(): string[] {
  return [...queriesByReach()].flatMap(([reach, names]) => (/all shards/i.test(reach) ? names : []));
}
