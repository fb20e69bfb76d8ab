import type { TagSpread } from '../../domain/errors/tracked-error.ts';
import type { ThirdpartyTag } from '../../schemas/thirdparty/event.ts';
import { textOf } from './values.ts';

function spreadOf(tag: ThirdpartyTag): TagSpread {
  const values = (tag.topValues ?? []).flatMap(({ value, name, count }) => {
    const text = textOf(value ?? name);
    return text === null ? [] : [{ value: text, count: count ?? 0 }];
  });
  const listed = values.reduce((sum, { count }) => sum + count, 0);
  const total = Math.max(tag.totalValues ?? 0, listed);
  const sorted = [...values].sort((one, other) => other.count - one.count);
  return { key: tag.key, total, values: sorted, other: total - listed };
}

export function tagSpreads(tags: readonly ThirdpartyTag[]): TagSpread[] {
  return tags.map(spreadOf);
}

/** Listed values of one tag; empty for none. */
export function valuesOfTag(tags: readonly TagSpread[], key: string): string[] {
  return tags.find((tag) => tag.key === key)?.values.map(({ value }) => value) ?? [];
}
