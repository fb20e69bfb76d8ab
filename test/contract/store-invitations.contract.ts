import assert from 'node:assert/strict';
import {
  CLAIM_MS,
  inGroup,
  inProject,
  MAX_INVITATIONS,
  type Invitation,
} from '../../src/domain/projects/invitation.ts';
import { isAppErrorWith } from '../support/app-error-code.ts';
import { makeInvitation } from '../support/invitation-data.ts';
import { DAY, hexId, makeProject, NOON } from '../support/store-data.ts';
import type { StoreHarness } from '../support/store-harness.ts';

/** Invitations of e-mail addresses, and their claims. */
export function invitationsContract(harness: () => StoreHarness): void {
  describe('invitations', () => {
    async function created(
      changes: Parameters<typeof makeInvitation>[1] = {},
    ): Promise<Invitation & { readonly projectId: number }> {
      const { store } = harness();
      const { id } = await makeProject(store);
      const invitation = await store.createInvitation(makeInvitation(id, changes));
      assert.ok(invitation !== null);
      return { ...invitation, projectId: id };
    }
    const readAgain = async ({ tokenHash }: Invitation): Promise<Invitation> => {
      const found = await harness().store.invitationByHash(tokenHash);
      assert.ok(found !== null);
      return found;
    };

    it('are found by their link, their address and their place', async () => {
      const { store } = harness();
      const { id: projectId } = await makeProject(store);
      const first = makeInvitation(projectId);
      const made = await store.createInvitation(first);
      assert.ok(made !== null);
      const { id, place, ...members } = made;
      const unused = { sentAt: null, claimedAt: null, acceptedAt: null, userId: null };
      assert.deepEqual([place, members], [`project:${projectId}`, { ...first, ...unused }]);
      const other = await store.createInvitation(makeInvitation(projectId, { email: 'ada@shop.test' }));
      assert.ok(other !== null && other.id > id);
      assert.deepEqual(await store.invitationByHash(made.tokenHash), made);
      assert.equal(await store.invitationByHash(hexId('no link', 64)), null);
      assert.deepEqual(await store.invitationFor(inProject(projectId), 'grace@shop.test'), made);
      assert.equal(await store.invitationFor(inProject(projectId), 'bob@shop.test'), null);
      assert.equal(await store.invitationFor(inProject(projectId + 1), 'grace@shop.test'), null);
      assert.deepEqual(await store.listInvitations(inProject(projectId)), [made, other]);
    });

    it('of an address are found over all projects', async () => {
      const { store } = harness();
      const email = 'everywhere@shop.test';
      const both = [await created({ email }), await created({ email })];
      await created({ email: 'elsewhere@shop.test' });
      assert.deepEqual(await store.invitationsOfEmail(email), both);
    });

    it('are made once per place and address, also at once', async () => {
      const { store } = harness();
      const { id } = await makeProject(store);
      const made = await Promise.all([1, 2, 3].map(() => store.createInvitation(makeInvitation(id))));
      const [first, ...more] = made.filter((each) => each !== null);
      assert.deepEqual([first !== undefined, more], [true, []]);
      assert.deepEqual(await store.listInvitations(inProject(id)), [first]);
      assert.equal(await store.createInvitation(makeInvitation(id)), null);
    });

    it('that have expired or were taken up give way to a new one with its own link', async () => {
      const { store } = harness();
      const expired = await created();
      const { projectId } = expired;
      const late = { createdAt: expired.expiresAt, expiresAt: expired.expiresAt + DAY, accessLevel: 20 } as const;
      const second = await store.createInvitation(makeInvitation(projectId, late));
      assert.deepEqual([second?.id, second?.accessLevel], [expired.id, 20]);
      assert.equal(await store.invitationByHash(expired.tokenHash), null, 'the link of before');
      assert.ok(second !== null && (await store.claimInvitation(second, NOON + 8 * DAY)));
      await store.endClaim(second.id, NOON + 8 * DAY, 7);
      const third = await store.createInvitation(makeInvitation(projectId, { ...late, accessLevel: 40 }));
      assert.deepEqual([third?.accessLevel, third?.acceptedAt, third?.userId], [40, null, null]);
      assert.equal((await store.listInvitations(inProject(projectId))).length, 1);
    });

    it('are changed until they are taken up, and withdrawn', async () => {
      const { store } = harness();
      const { id, ...made } = await created();
      const patch = { accessLevel: 40, sentAt: NOON + 5, mailed: true } as const;
      assert.deepEqual(await store.changeInvitation(id, patch), { id, ...made, ...patch });
      const seen = { id, ...made, ...patch };
      assert.equal(await store.claimInvitation(seen, NOON + 6), true);
      await store.endClaim(id, NOON + 6, 9);
      assert.equal(await store.changeInvitation(id, { accessLevel: 50 }), null);
      assert.deepEqual([await store.removeInvitation(id), await store.removeInvitation(id)], [true, false]);
      assert.equal(await store.changeInvitation(id, { accessLevel: 50 }), null);
      assert.equal(await store.invitationByHash(made.tokenHash), null);
    });

    it('are claimed by one of several requests', async () => {
      const { store } = harness();
      const made = await created();
      const claims = await Promise.all([1, 2, 3, 4].map((after) => store.claimInvitation(made, NOON + after)));
      assert.equal(claims.filter(Boolean).length, 1);
      const claimed = await readAgain(made);
      const { claimedAt } = claimed;
      assert.ok(claimedAt !== null);
      assert.equal(await store.claimInvitation(claimed, claimedAt + CLAIM_MS - 1), false, 'while the claim holds');
      await store.endClaim(made.id, claimedAt, null);
      assert.deepEqual(await readAgain(made), made, 'open again');
      assert.equal(await store.claimInvitation(made, NOON + 10), true);
      await store.endClaim(made.id, claimedAt, 5);
      assert.equal((await readAgain(made)).userId, null, 'the end of another claim');
      await store.endClaim(made.id, NOON + 10, 5);
      const taken = await readAgain(made);
      assert.deepEqual([taken.userId, taken.claimedAt, typeof taken.acceptedAt], [5, null, 'number']);
      assert.equal(await store.claimInvitation(taken, NOON + 2 * CLAIM_MS), false, 'twice');
    });

    it('are claimed again after a process that ended', async () => {
      const { store } = harness();
      const made = await created();
      assert.equal(await store.claimInvitation(made, NOON), true);
      const left = await readAgain(made);
      const claims = await Promise.all([0, 1].map((after) => store.claimInvitation(left, NOON + CLAIM_MS + after)));
      assert.deepEqual([...claims].sort(), [false, true]);
    });

    it('are not claimed as they were read before a change', async () => {
      const { store } = harness();
      const made = await created();
      await store.changeInvitation(made.id, { accessLevel: 20 });
      assert.equal(await store.claimInvitation(made, NOON), false, 'another role');
      await store.changeInvitation(made.id, { accessLevel: 30, tokenHash: hexId('a newer link', 64) });
      assert.equal(await store.claimInvitation(made, NOON), false, 'another link');
      const { id } = await created();
      await store.removeInvitation(id);
      assert.equal(await store.claimInvitation({ ...made, id }, NOON), false, 'withdrawn');
    });

    it('of a group are others than those of a project, and end with the group', async () => {
      const { store } = harness();
      const { id: groupId } = await store.createGroup({ path: `teams-${hexId('invited').slice(0, 8)}`, name: 'T' });
      const place = inGroup(groupId);
      const made = await store.createInvitation(makeInvitation(0, place));
      assert.deepEqual([made?.place, made?.projectId, made?.groupId], [`group:${groupId}`, null, groupId]);
      assert.deepEqual(await store.listInvitations(place), [made]);
      const ofProject = await store.listInvitations(inProject(groupId));
      assert.ok(ofProject.every(({ id }) => id !== made?.id));
      const unknown = makeInvitation(0, inGroup(9_999_999));
      await assert.rejects(store.createInvitation(unknown), isAppErrorWith('group_not_found'));
      assert.equal(await store.deleteGroup(groupId), true);
      assert.deepEqual(await store.listInvitations(place), []);
    });

    it('need a project, end with it, and are bounded per project', async function () {
      this.timeout(60_000);
      const { store } = harness();
      await assert.rejects(store.createInvitation(makeInvitation(9_999_999)), isAppErrorWith('project_not_found'));
      const { projectId, tokenHash } = await created();
      const others = Array.from({ length: MAX_INVITATIONS - 1 }, (_, at) => ({ email: `p${at}@shop.test` }));
      await Promise.all(others.map((other) => store.createInvitation(makeInvitation(projectId, other))));
      const further = makeInvitation(projectId, { email: 'further@shop.test' });
      await assert.rejects(store.createInvitation(further), isAppErrorWith('conflict'));
      assert.equal((await store.listInvitations(inProject(projectId))).length, MAX_INVITATIONS);
      const other = await created();
      await store.deleteProject(projectId);
      assert.equal(await store.invitationByHash(tokenHash), null);
      assert.deepEqual(await store.listInvitations(inProject(projectId)), []);
      assert.deepEqual(await readAgain(other), other);
    });
  });
}
