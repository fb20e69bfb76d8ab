import assert from 'node:assert/strict';
import type { AlertChannel } from '../../../src/domain/alerts/alert-channel.ts';
import { DEFAULT_ALERTS, DEFAULT_RULE } from '../../../src/domain/alerts/alert-rule.ts';
import { exportedAlerts } from '../../../src/export/alert-rules.ts';

function channel(id: number, name: string): AlertChannel {
  return {
    ...{ id, projectId: 1, type: 'slack', name, host: 'hooks.slack.test', sealed: 'sealed address' },
    ...{ enabled: true, disabledReason: null, createdAt: 5 },
  };
}

describe('exported alert rules', () => {
  const channels = [channel(7, 'ops'), channel(8, 'team')];

  it('name channels, and have no address, secret or person', () => {
    const to = { members: true, users: [41], channels: [8, 99] };
    const alerts = { rules: [{ ...DEFAULT_RULE, to }], lastRuleId: 1, poll: true };
    const { to: _to, id: _id, ...rule } = DEFAULT_RULE;
    assert.deepEqual(exportedAlerts(alerts, channels), {
      poll: true,
      channels: [
        { name: 'ops', type: 'slack', enabled: true },
        { name: 'team', type: 'slack', enabled: true },
      ],
      rules: [{ ...rule, to: { members: true, channels: ['team'] } }],
    });
    assert.doesNotMatch(JSON.stringify(exportedAlerts(alerts, channels)), /sealed|hooks|41/);
  });

  it('say that all channels are meant', () => {
    const { rules } = exportedAlerts(DEFAULT_ALERTS, channels) as {
      readonly rules: readonly { readonly to: object }[];
    };
    assert.deepEqual(rules[0]?.to, { members: true, channels: 'all' });
  });
});
