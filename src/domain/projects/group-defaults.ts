/** Values of `GroupDefaults`; `inherit`: that of the group above, and in the end that of errgate. */
export const DEFAULT_VISIBILITIES = ['inherit', 'private', 'public'] as const;
export const DEFAULT_TRACKING = ['inherit', 'enabled', 'disabled'] as const;
export const DEFAULT_ALERT_MODES = ['inherit', 'now', 'hourly', 'daily', 'off'] as const;

/** What new projects below a group begin with. Later changes of the group change no project. */
export interface GroupDefaults {
  readonly visibility: (typeof DEFAULT_VISIBILITIES)[number];
  /** `enabled`: the integrated backend takes events at once. */
  readonly errorTracking: (typeof DEFAULT_TRACKING)[number];
  /** How the alert rule that every project begins with reports; `off`: it is switched off. */
  readonly alerts: (typeof DEFAULT_ALERT_MODES)[number];
}

/** Defaults of a group that says nothing. */
export const NO_DEFAULTS: GroupDefaults = { visibility: 'inherit', errorTracking: 'inherit', alerts: 'inherit' };

/** Returns the defaults in force: of each value that of the nearest group that says one. `defaults`: the nearest first. */
export function joinedDefaults(defaults: readonly GroupDefaults[]): GroupDefaults {
  const nearest = <M extends keyof GroupDefaults>(member: M): GroupDefaults[M] =>
    defaults.find((each) => each[member] !== 'inherit')?.[member] ?? NO_DEFAULTS[member];
  return { visibility: nearest('visibility'), errorTracking: nearest('errorTracking'), alerts: nearest('alerts') };
}
