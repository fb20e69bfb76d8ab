import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const TEXT = readFileSync(join(import.meta.dirname, '..', '..', 'docs', 'scaling.md'), 'utf8');

/** Collections that the guide has an operator shard, as its lines for `mongosh` say. */
export function shardedCollections(): string[] {
  return [...TEXT.matchAll(/sh\.shardCollection\("errgate\.(\w+)", \{ p: 1, _id: 1 \}\)/g)].map(
    ([, name = '']) => name,
  );
}

/** Collections that it says stay on the primary shard. */
export function unshardedCollections(): string[] {
  const [, paragraph = ''] = /\nEverything else stays \*\*unsharded\*\*([^]*?)\n\n/.exec(TEXT) ?? [];
  return [...paragraph.matchAll(/`(\w+)`/g)].map(([, name = '']) => name);
}

/** Names of queries, or `prefix.*`, by the first cell of their row in the table of what reaches what. */
export function queriesByReach(): Map<string, string[]> {
  const [, table = ''] = /\| reaches .*\n\| -.*\n((?:\|.*\n)+)/.exec(TEXT) ?? [];
  const rows = table.trimEnd().split('\n');
  return new Map(
    rows.map((row) => {
      const [, reach = '', queries = ''] = row.split('|').map((cell) => cell.trim());
      return [reach, [...queries.matchAll(/`([a-z_]+\.[a-z_*]+)`/g)].map(([, name = '']) => name)];
    }),
  );
}

/** Names in the row of queries that ask all shards. */
export function scatteringQueries(): string[] {
  return [...queriesByReach()].flatMap(([reach, names]) => (/all shards/.test(reach) ? names : []));
}
