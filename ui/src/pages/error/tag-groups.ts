import type { ErrorDetail } from '../../api/errors-api.ts';

type Tag = NonNullable<ErrorDetail['tags']>[number];

export interface TagGroups {
  /** Tags with several values, and those that only some events have; parts of other tags come last. */
  readonly several: readonly Tag[];
  /** Number of them that are no parts of others. */
  readonly whole: number;
  /** Tags with the same value in every event. */
  readonly same: readonly { readonly key: string; readonly value: string; readonly total: number }[];
}

/** Parts of the other tag: `browser.name` says no more than `browser`. */
const PART = /^(browser|os|runtime|device|client_os|client_runtime)\.(name|family|version)$/;

/**
 * Divides tags into those that tell events apart, and those that do not. Parts of another tag come last: `browser.name`
 * beside `browser`.
 */
export function tagGroups(tags: readonly Tag[], events: number): TagGroups {
  const keys = new Set(tags.map(({ key }) => key));
  const isPart = (key: string) => keys.has(PART.exec(key)?.[1] ?? '');
  const isSame = ({ values, other, total }: Tag) => values.length === 1 && other === 0 && total >= events;
  const whole = tags.filter((tag) => !isSame(tag) && !isPart(tag.key));
  return {
    several: [...whole, ...tags.filter((tag) => !isSame(tag) && isPart(tag.key))],
    whole: whole.length,
    same: tags
      .filter((tag) => isSame(tag) && tag.key !== 'level' && !isPart(tag.key))
      .map(({ key, values, total }) => ({ key, value: values[0]?.value ?? '', total })),
  };
}
