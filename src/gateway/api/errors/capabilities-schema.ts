import { staleSince } from '../../http/common-schema.ts';
import { filterValues, searchKeyValues, sortValues } from '../shared/error-filters-schema.ts';

export const capabilitiesSchema = {
  title: 'Capabilities',
  type: 'object',
  properties: {
    sorts: { type: 'array', items: { enum: sortValues } },
    filters: { type: 'array', items: { enum: filterValues } },
    conditions: {
      type: 'array',
      items: { enum: searchKeyValues },
      description: 'Supported search keys; individual values may still be rejected',
    },
    marks: {
      type: 'array',
      items: { enum: ['new', 'regressed', 'escalating', 'unhandled', 'for_review'] },
      description: 'Marks that errors have; in external trackers as the tracker says, without times',
    },
    merge: { type: 'boolean' },
    releases: { type: 'boolean' },
    status_details: {
      type: 'boolean',
      description: 'Whether a status may wait for a release, a commit, a time or a number of events or users',
    },
    unstable_sorts: {
      type: 'array',
      items: { enum: sortValues },
      description: 'Sorts whose further pages may miss or repeat errors with equal counts',
    },
    incomplete: {
      const: true,
      description: 'Present when the tracker returned only part of the data; retry later',
    },
    stale_since: staleSince,
  },
  required: ['sorts', 'filters', 'conditions', 'marks', 'merge', 'releases', 'status_details', 'unstable_sorts'],
  additionalProperties: false,
} as const;
