import type { CopyRows } from '../copy/copy-rows.ts';
import type { CopyPartOf } from './copy-release-parts.ts';
import { toAlertsOfProject, toArm, toChannel, toConversation, toPreferencesOfUser } from './views/alert-views.ts';
import { toDelivery } from './views/delivery-views.ts';
import { toFact } from './views/fact-views.ts';

type Part =
  | 'alertFacts'
  | 'alertChannels'
  | 'projectAlerts'
  | 'alertPreferences'
  | 'alertConversations'
  | 'alertDeliveries'
  | 'alertArms';

/** Copy of alerts. */
export const ALERT_PARTS: { readonly [P in Part]: CopyPartOf<CopyRows[P]> } = {
  alertFacts: {
    count: 'SELECT count(*) FROM alert_facts',
    page: 'SELECT seq AS cursor, * FROM alert_facts WHERE seq > ? ORDER BY seq',
    first: 0,
    toRow: (row) => ({ ...toFact(row), addedAt: row.added_at as number }),
  },
  alertChannels: {
    count: 'SELECT count(*) FROM alert_channels',
    page: 'SELECT id AS cursor, * FROM alert_channels WHERE id > ? ORDER BY id',
    first: 0,
    toRow: toChannel,
  },
  projectAlerts: {
    count: 'SELECT count(*) FROM project_alerts',
    page: 'SELECT project_id AS cursor, * FROM project_alerts WHERE project_id > ? ORDER BY project_id',
    first: 0,
    toRow: toAlertsOfProject,
  },
  alertPreferences: {
    count: 'SELECT count(*) FROM alert_preferences',
    page: 'SELECT user_id AS cursor, * FROM alert_preferences WHERE user_id > ? ORDER BY user_id',
    first: 0,
    toRow: toPreferencesOfUser,
  },
  alertConversations: {
    count: 'SELECT count(*) FROM alert_conversations',
    // The table has a column of that name itself, which goes by another one here.
    page: `SELECT c.*, c.cursor AS place, c.destination AS cursor FROM alert_conversations c WHERE c.destination > ?
           ORDER BY c.destination`,
    first: '',
    toRow: (row) => toConversation({ ...row, cursor: row.place ?? null }),
  },
  alertDeliveries: {
    count: 'SELECT count(*) FROM alert_deliveries',
    page: 'SELECT id AS cursor, * FROM alert_deliveries WHERE id > ? ORDER BY id',
    first: '',
    toRow: toDelivery,
  },
  alertArms: {
    count: 'SELECT count(*) FROM alert_arms',
    page: `SELECT printf('%020d/%020d/%s', project_id, rule_id, error_id) AS cursor, * FROM alert_arms
           WHERE printf('%020d/%020d/%s', project_id, rule_id, error_id) > ? ORDER BY project_id, rule_id, error_id`,
    first: '',
    toRow: toArm,
  },
};
