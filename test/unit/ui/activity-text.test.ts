import assert from 'node:assert/strict';
import { activityText } from '../../../ui/src/pages/error/activity-text.ts';

const NONE = {
  ...{ created_at: '2026-01-15T12:00:00Z', user: null, status_details: null, release: null, reason: null },
  ...{ assignee: null, note_id: null, error_ids: null, source: null, issue_id: null, issue_url: null },
  issue_title: null,
  agent: null,
};

describe('texts of the activity log', () => {
  it('name the issue on the host by which a status changed, and nobody for a link of a removed user', () => {
    const issue_url = 'https://git.test/group/shop/-/issues/12';
    for (const [entry, text] of [
      [{ kind: 'resolved', issue_url }, 'GitLab issue #12 resolved it'],
      [{ kind: 'unresolved', issue_url }, 'GitLab issue #12 reopened it'],
      [{ kind: 'resolved', issue_url: 'https://git.test/x' }, 'The linked issue resolved it'],
      [{ kind: 'resolved' }, 'errgate resolved it'],
      [{ kind: 'resolved', user: { id: 1, username: 'ada', name: 'Ada' }, issue_url }, 'Ada resolved it'],
      [{ kind: 'issue_linked', issue_url, issue_title: 'Shop is down' }, 'errgate linked Shop is down'],
    ] as const) {
      assert.equal(activityText({ ...NONE, ...entry }), text);
    }
  });
});
