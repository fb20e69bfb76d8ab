/** IANA zone of the browser, such as `Europe/Berlin`. */
export const browserZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone;

/** Names of all zones that the browser knows, UTC first. */
export const knownZones = (): string[] => ['UTC', ...Intl.supportedValuesOf('timeZone')];
