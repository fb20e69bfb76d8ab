import assert from 'node:assert/strict';
import { decide, decideOnGroup, POLICY, type Action, type Decision, type Rule } from '../../../src/auth/policy.ts';
import { ACCESS_LEVELS, type AccessLevel, type TokenScope } from '../../../src/domain/projects/account.ts';
import type { Project } from '../../../src/domain/projects/project.ts';
import type { Principal } from '../../../src/auth/principal.ts';

const project: Project = {
  id: 1,
  path: 'group/app',
  name: 'app',
  visibility: 'private',
  monitorEnabled: true,
  createdAt: 0,
};
const open: Project = { ...project, visibility: 'public' };
const unmonitored: Project = { ...project, monitorEnabled: false };

function person(scopes: readonly TokenScope[], admin = false): Principal {
  return {
    user: {
      id: 1,
      username: 'u',
      name: 'U',
      admin,
      email: null,
      blocked: false,
      createdAt: 0,
      emailConfirmed: false,
      passwordAllowed: null,
      signedOnAt: null,
    },
    scopes,
    token: {
      id: 1,
      userId: 1,
      name: 't',
      description: null,
      scopes,
      createdAt: 0,
      expiresAt: null,
      revokedAt: null,
      lastUsedAt: null,
    },
    onlyProjects: null,
  };
}

const api = person(['api']);
const { guest, reporter, developer, maintainer, owner } = ACCESS_LEVELS;

describe('policy', () => {
  /** The table of the documentation once more, by hand: a slip in the policy must not pass unseen. */
  const least: Record<Action, AccessLevel | null> = {
    read_self: null,
    use_build_tools: null,
    use_agent_tools: null,
    upload_artifacts: developer,
    read_artifacts: reporter,
    manage_artifacts: maintainer,
    manage_build_tokens: maintainer,
    update_self: null,
    manage_sessions: null,
    manage_tokens: null,
    create_project: maintainer,
    move_project: owner,
    create_group: maintainer,
    read_group: guest,
    read_group_members: guest,
    manage_group_members: owner,
    read_group_invitations: owner,
    update_group: owner,
    delete_group: owner,
    delete_project: owner,
    read_members: guest,
    manage_members: maintainer,
    read_invitations: maintainer,
    take_up_invitation: null,
    suggest_members: maintainer,
    read_users: null,
    manage_users: null,
    read_instance: null,
    read_audit: owner,
    read_group_audit: owner,
    read_instance_audit: null,
    send_test_event: maintainer,
    read_project: guest,
    update_project: maintainer,
    read_settings: maintainer,
    update_settings: maintainer,
    connect_tracker: maintainer,
    move_in: maintainer,
    read_keys: maintainer,
    read_alerts: maintainer,
    manage_alerts: maintainer,
    read_error_alerts: developer,
    manage_forwarding: maintainer,
    manage_keys: maintainer,
    read_errors: reporter,
    update_errors: developer,
    read_links: reporter,
    update_links: maintainer,
    read_views: reporter,
    update_views: reporter,
    update_favourites: guest,
    delete_errors: maintainer,
    read_outcomes: maintainer,
  };
  const readable: Action[] = [
    'read_self',
    'read_project',
    'read_members',
    'read_invitations',
    'suggest_members',
    'read_users',
    'read_instance',
    'read_settings',
    'use_agent_tools',
    'read_errors',
    'read_links',
    'read_views',
    'read_outcomes',
    'read_alerts',
    'read_error_alerts',
    'read_artifacts',
    'read_audit',
    'read_group_audit',
    'read_instance_audit',
    'read_group',
    'read_group_members',
    'read_group_invitations',
  ];
  const forAdministrators: Action[] = ['read_users', 'manage_users', 'read_instance', 'read_instance_audit'];
  const hiddenWithoutMonitor: Action[] = [
    'read_errors',
    'update_errors',
    'delete_errors',
    'read_error_alerts',
    'connect_tracker',
    'read_views',
    'update_views',
    'read_artifacts',
    'manage_artifacts',
  ];

  const rules = Object.entries(POLICY) as [Action, Rule][];

  for (const [name, rule] of rules.filter(([, { of }]) => of === undefined)) {
    const floor = least[name];
    describe(name, () => {
      it('asks for the documented role', () => {
        if (forAdministrators.includes(name)) {
          for (const level of [null, guest, owner]) assert.equal(decide(api, name, project, level), 'forbidden');
        } else
          for (const level of [guest, reporter, developer, maintainer, owner]) {
            const expected: Decision = floor === null || level >= floor ? 'ok' : 'forbidden';
            assert.equal(decide(api, name, project, level), expected, `level ${level}`);
          }
        assert.equal(decide(person(['api'], true), name, project, null), 'ok', 'administrator');
      });

      it('asks for the documented scope, before anything else', () => {
        const expected: Decision = readable.includes(name) ? 'ok' : 'insufficient_scope';
        const isAdmin = forAdministrators.includes(name);
        assert.equal(decide(person(['read_api'], isAdmin), name, project, owner), expected);
        assert.equal(decide(person([]), name, null, null), 'insufficient_scope');
      });

      it('reveals as little as possible to users without access', () => {
        if (rule.role === null) {
          const decision = forAdministrators.includes(name) ? 'forbidden' : 'ok';
          assert.equal(decide(api, name, null, null), decision);
          return;
        }
        assert.equal(decide(api, name, null, null), 'project_not_found');
        assert.equal(decide(api, name, project, null), 'project_not_found');
        assert.equal(decide(api, name, open, null), 'forbidden');
      });

      it('follows the Monitor switch', () => {
        const expected: Decision = hiddenWithoutMonitor.includes(name) ? 'not_found' : 'ok';
        const user = person(['api'], forAdministrators.includes(name));
        assert.equal(decide(user, name, unmonitored, owner), expected);
      });
    });
  }

  for (const [name, { of: subject }] of rules.filter(([, { of }]) => of !== undefined)) {
    describe(name, () => {
      const floor = least[name] ?? 0;
      const isNew = subject === 'parent';

      it('asks for the documented role in the group, and for the scope before it', () => {
        for (const level of [guest, reporter, developer, maintainer, owner]) {
          const decision = decideOnGroup(api, name, { level, hasProject: false });
          assert.equal(decision, level >= floor ? 'ok' : 'forbidden', `level ${level}`);
        }
        assert.equal(decideOnGroup(person(['api'], true), name, { level: null, hasProject: true }), 'ok');
        const expected: Decision = readable.includes(name) ? 'ok' : 'insufficient_scope';
        assert.equal(decideOnGroup(person(['read_api']), name, { level: owner, hasProject: false }), expected);
      });

      it('reveals as little as possible to users without a role', () => {
        const unseen = isNew ? 'forbidden' : 'group_not_found';
        assert.equal(decideOnGroup(api, name, null), unseen);
        assert.equal(decideOnGroup(api, name, { level: null, hasProject: false }), unseen);
        const withProject = decideOnGroup(api, name, { level: null, hasProject: true });
        assert.equal(withProject, name === 'read_group' ? 'ok' : 'forbidden');
        assert.equal(decideOnGroup(person(['api'], true), name, null), isNew ? 'ok' : 'group_not_found');
        const ofBuilds = { ...api, onlyProjects: [project.id] };
        if (!isNew) assert.equal(decideOnGroup(ofBuilds, name, { level: owner, hasProject: true }), 'group_not_found');
      });
    });
  }

  it('allows tokens of builds to upload to their projects, and nothing else', () => {
    const build: Principal = { ...person(['ci'], true), onlyProjects: [project.id] };
    const isAllowed = (name: Action): boolean =>
      decide(build, name, project, owner) === 'ok' ||
      decideOnGroup(build, name, { level: owner, hasProject: true }) === 'ok';
    const allowed = (Object.keys(POLICY) as Action[]).filter(isAllowed);
    assert.deepEqual(allowed, ['use_build_tools', 'upload_artifacts']);
    assert.equal(decide(build, 'upload_artifacts', { ...open, id: 2 }, owner), 'project_not_found');
    assert.equal(decide({ ...build, onlyProjects: [] }, 'upload_artifacts', project, owner), 'project_not_found');
  });

  it('names the missing role rather than the switched-off feature', () => {
    assert.equal(decide(api, 'read_errors', unmonitored, guest), 'forbidden');
  });
});
