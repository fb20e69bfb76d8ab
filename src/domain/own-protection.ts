/**
 * What a project asks for beyond the configuration. It only makes things stricter: what whoever runs the service
 * has set is removed and limited in any case.
 */
export interface OwnProtection {
  /** Whole names, in any case, whose values are replaced; also those that the configuration calls safe. */
  readonly sensitiveFields: readonly string[];
  /** True removes IP addresses; false leaves them to the configuration. */
  readonly scrubIps: boolean;
  /** Events per minute of each client key, 1 at least; null: as configured. */
  readonly keyEventsPerMinute: number | null;
  /** The same of all keys together. */
  readonly projectEventsPerMinute: number | null;
}

/** Members left out keep their value. */
export type OwnProtectionPatch = Partial<OwnProtection>;

/** A project that asks for something, by its id. */
export type ProjectProtection = readonly [projectId: number, own: OwnProtection];

/** What a project has that asks for nothing; it is not stored. */
export const NOTHING_OWN: OwnProtection = {
  sensitiveFields: [],
  scrubIps: false,
  keyEventsPerMinute: null,
  projectEventsPerMinute: null,
};

export function asksForNothing(own: OwnProtection): boolean {
  const { sensitiveFields, scrubIps, keyEventsPerMinute, projectEventsPerMinute } = own;
  return sensitiveFields.length === 0 && !scrubIps && keyEventsPerMinute === null && projectEventsPerMinute === null;
}

/** The names without those that stand there already in another case. */
export function distinctFields(names: readonly string[]): string[] {
  const seen = new Map<string, string>();
  for (const name of names) {
    const lower = name.toLowerCase();
    if (!seen.has(lower)) seen.set(lower, name);
  }
  return [...seen.values()];
}

/** Whether something that was read from a file is what `JSON.stringify` made of an `OwnProtection`. */
export function isOwnProtection(value: unknown): value is OwnProtection {
  if (typeof value !== 'object' || value === null) return false;
  const { sensitiveFields, scrubIps, keyEventsPerMinute, projectEventsPerMinute } = value as Record<string, unknown>;
  return (
    Array.isArray(sensitiveFields) &&
    sensitiveFields.every((name) => typeof name === 'string') &&
    typeof scrubIps === 'boolean' &&
    isRate(keyEventsPerMinute) &&
    isRate(projectEventsPerMinute)
  );
}

function isRate(value: unknown): value is number | null {
  return value === null || (Number.isSafeInteger(value) && (value as number) >= 1);
}
