/** Protection settings of one project. They only tighten the configuration, which always applies. */
export interface ProtectionOverrides {
  /** Whole names, case-insensitive, whose values are replaced; they override the safe names of the configuration. */
  readonly sensitiveFields: readonly string[];
  /** True removes IP addresses; false applies the configuration. */
  readonly scrubIps: boolean;
  /** Events per minute and client key, at least 1; null: as configured. */
  readonly keyEventsPerMinute: number | null;
  /** Events per minute of all keys together, at least 1; null: as configured. */
  readonly projectEventsPerMinute: number | null;
}

/** Members left out keep their value. */
export type ProtectionOverridesPatch = Partial<ProtectionOverrides>;

/** Overrides of one project, with its id. */
export type ProjectProtection = readonly [projectId: number, own: ProtectionOverrides];

/** Settings of a project without overrides; never stored. */
export const NO_OVERRIDES: ProtectionOverrides = {
  sensitiveFields: [],
  scrubIps: false,
  keyEventsPerMinute: null,
  projectEventsPerMinute: null,
};

/** Removes names that differ from an earlier one only in case. */
export function distinctFields(names: readonly string[]): string[] {
  const seen = new Map<string, string>();
  for (const name of names) {
    const lower = name.toLowerCase();
    if (!seen.has(lower)) seen.set(lower, name);
  }
  return [...seen.values()];
}

/** Validates `ProtectionOverrides` that was parsed from a file. */
export function isProtectionOverrides(value: unknown): value is ProtectionOverrides {
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
