/** Names of reads of many projects at once: see `QUERY_NAMES`. */
export const OVERVIEW_QUERY_NAMES = [
  'errors.last_in_projects',
  'errors.matter',
  'errors.merged_matter',
  'errors.merged_new_lately',
  'errors.new_lately',
  'errors.open',
  'errors.open_merged',
  'errors.regressed_lately',
  'members.levels',
  'outcomes.accepted',
  'settings.of_projects',
] as const;
