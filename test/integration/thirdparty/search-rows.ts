/** What a search finds; null: the tracker cannot do it. */
export type Row = readonly [search: string, found: string | null];

export const BASIC: readonly Row[] = [
  ['', 'bravo charlie'],
  ['is:resolved', 'alpha'],
  ['level:fatal', 'bravo'],
  ['env:staging', 'bravo'],
  ['release:app@2.0', 'charlie'],
  ['release:app@2.0 level:error', 'charlie'],
  ['release:app@2.0 level:fatal', ''],
  ['charlie', 'charlie'],
  ['shop:north', 'bravo'],
  ['tag:shop=north', 'bravo'],
  ['!is:[resolved,ignored]', 'bravo charlie'],
  ['file:x.py', null],
  ['url.host:site.example', null],
  ['url.path:/checkout', null],
  ['function:show', null],
  ['assigned:me', null],
];

export const ONLY_SENTRY: readonly Row[] = [
  ['!level:fatal', 'charlie'],
  ['!is:unresolved', 'alpha'],
  ['!shop:north', 'charlie'],
  ['!env:staging', 'charlie'],
  ['is:unassigned', 'bravo charlie'],
  ['is:assigned', ''],
  ['type:PayError', 'charlie'],
  ['user:ada@example.org', 'charlie'],
  ['tag:level=odd', 'bravo'],
  ['is:unhandled', 'charlie'],
  ['release:app@*', 'charlie'],
  ['!release:app@2*', 'bravo'],
  ['shop:n*', 'bravo'],
  ['type:Pay*', 'charlie'],
  ['level:[fatal,info]', 'bravo'],
  ['!level:[fatal,info]', 'charlie'],
  ['release:[app@1*,app@2.0]', 'charlie'],
  ['shop:[north,south]', 'bravo'],
  ['is:[resolved,ignored]', 'alpha'],
];

/** What no tracker can do. */
export const NEVER: readonly Row[] = [
  ['is:[resolved,unresolved,ignored]', null],
  ['is:[new,regressed]', null],
  ['has:[shop,other]', null],
  ['first-seen:[-1h,-2h]', null],
];
