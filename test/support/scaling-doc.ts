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

/** Names of queries, or `prefix.*`, by the bold words that begin their entry in the list of what reaches what. */
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

/** Names in the entry of queries that ask all shards. */
export function scatteringQueries(): string[] {
  return [...queriesByReach()].flatMap(([reach, names]) => (/all shards/i.test(reach) ? names : []));
}
