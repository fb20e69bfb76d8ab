import type { AlertFact } from '../../domain/alerts/alert-fact.ts';
import type { AlertRule, RuleFilter } from '../../domain/alerts/alert-rule.ts';
import type { TagSpread } from '../../domain/errors/tracked-error.ts';

/** What rules ask of the error itself, because the fact does not have it. */
export interface ErrorFacets {
  readonly tags: readonly TagSpread[] | null;
  readonly environments: readonly string[] | null;
}

type Matched = Pick<
  AlertFact,
  'kind' | 'cause' | 'level' | 'environment' | 'release' | 'type' | 'title' | 'message' | 'culprit'
>;

const same = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase();
const among = (list: readonly string[], value: string): boolean => list.some((entry) => same(entry, value));

/** Returns true when the environments of the error decide: the fact comes from its sums, not from one event. */
function asksEnvironments({ kind, environment }: Matched, only: RuleFilter): boolean {
  return kind === 'escalated' && environment === null && only.environments.length + only.exceptEnvironments.length > 0;
}

/** Returns true when `mismatch` needs the facets of the error. */
export function needsFacets(rule: AlertRule, fact: Matched): boolean {
  return rule.only.tags.length > 0 || asksEnvironments(fact, rule.only);
}

function triggerMismatch({ when, id }: AlertRule, { kind, cause }: Matched): string | null {
  if (cause.ruleId !== undefined) return cause.ruleId === id ? null : 'belongs to another rule';
  return when.kinds.includes(kind) ? null : `does not report errors that are ${kind}`;
}

function environmentMismatch(only: RuleFilter, fact: Matched, facets: ErrorFacets | null): string | null {
  const known = asksEnvironments(fact, only) ? (facets?.environments ?? []) : [];
  const all = fact.environment === null ? known : [fact.environment];
  if (only.environments.length > 0 && !all.some((name) => among(only.environments, name))) {
    return `reports only the environment ${only.environments.join(', ')}`;
  }
  if (all.length > 0 && all.every((name) => among(only.exceptEnvironments, name))) {
    return `leaves out the environment ${only.exceptEnvironments.join(', ')}`;
  }
  return null;
}

function textMismatch({ contains }: RuleFilter, fact: Matched): string | null {
  if (contains === '') return null;
  const part = contains.toLowerCase();
  const texts = [fact.type, fact.title, fact.message, fact.culprit];
  if (texts.some((text) => text?.toLowerCase().includes(part) === true)) return null;
  return `reports only errors that contain "${contains}"`;
}

/** Any of the values of a key is enough; each key must have one. */
function tagMismatch({ tags }: RuleFilter, facets: ErrorFacets | null): string | null {
  for (const key of new Set(tags.map((tag) => tag.key))) {
    const values = tags.filter((tag) => tag.key === key);
    const spread = facets?.tags?.find((tag) => tag.key === key);
    const found = spread?.values.some(({ value }) => values.some((tag) => tag.value === value)) ?? false;
    if (!found) return `reports only errors with the tag ${values.map((tag) => `${key}=${tag.value}`).join(' or ')}`;
  }
  return null;
}

/**
 * Returns why a rule does not report a fact, as the end of a sentence about the rule; null: it does. Without text from
 * events. A fact without a level counts as an error. `facets` null: they are not known, so conditions on them fail.
 */
export function mismatch(rule: AlertRule, fact: Matched, facets: ErrorFacets | null): string | null {
  const { only } = rule;
  const level = fact.level ?? 'error';
  return (
    triggerMismatch(rule, fact) ??
    (only.levels.length > 0 && !only.levels.includes(level) ? `does not report the level ${level}` : null) ??
    (only.releases.length > 0 && (fact.release === null || !only.releases.includes(fact.release))
      ? `reports only the release ${only.releases.join(', ')}`
      : null) ??
    textMismatch(only, fact) ??
    environmentMismatch(only, fact, facets) ??
    tagMismatch(only, facets)
  );
}
