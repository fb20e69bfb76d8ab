import assert from 'node:assert/strict';
import { startApp, type RunningApp } from '../../support/app.ts';
import { givenSession } from '../../support/browser-session.ts';
import { givenMember, givenPerson, givenToken, givenTrackedProject, type Person } from '../../support/factories.ts';
import { describeOnStores } from '../../support/test-stores.ts';

const PATH = '/api/v4/user/alert_settings';
const FORM = { 'Content-Type': 'application/x-www-form-urlencoded' };

describeOnStores('alert settings of people', (kind) => {
  let app: RunningApp;
  let person: Person;

  before(async () => {
    app = await startApp(kind);
  });
  after(() => app.close());
  beforeEach(async () => {
    person = await givenPerson(app.store);
  });

  const get = () => app.get(PATH, person.token);
  const put = (body: unknown) => app.ask('PUT', PATH, { token: person.token, body });

  it('are everything by mail until the person says otherwise', async () => {
    assert.deepEqual((await get()).json(), {
      ...{ mail: 'all', projects: [], quiet: null, zone: 'UTC', heartbeat: false },
      ...{ email: null, mail_configured: true },
    });
  });

  it('change in part', async () => {
    const project = await givenTrackedProject(app.store);
    await app.store.setMember(project.id, person.user.id, 30);
    const projects = [{ project_id: project.id, mail: 'off' }];
    const quiet = { from: '22:00', to: '07:00' };
    const first = (await put({ mail: 'mine', projects, quiet, zone: 'Europe/Berlin' })).json();
    assert.deepEqual([first.mail, first.projects, first.quiet, first.zone], ['mine', projects, quiet, 'Europe/Berlin']);
    assert.deepEqual((await put({ heartbeat: true })).json(), { ...first, heartbeat: true });
    assert.deepEqual((await get()).json(), { ...first, heartbeat: true });
    assert.equal((await put({ quiet: null })).json().quiet, null);
    await app.store.removeMember(project.id, person.user.id);
    assert.equal((await put({ projects })).status, 200, 'a project that was left may stay');
    const other = await givenPerson(app.store);
    assert.equal((await app.get(PATH, other.token)).json().mail, 'all', 'of nobody else');
  });

  it('refuse other values, and projects of others', async () => {
    const project = await givenTrackedProject(app.store);
    const own = { project_id: project.id, mail: 'off' };
    for (const [body, error] of [
      [{ mail: 'some' }, 'mail must be one of all, mine, off'],
      [{ zone: 'Moon' }, 'zone is unknown: use a name such as Europe/Berlin or UTC'],
      [{ quiet: { from: '7', to: '08:00' } }, 'quiet.from must be a time such as 08:30'],
      [{ projects: [own] }, `projects names ${project.id}, of which you are not a member`],
      [{ projects: [own, own] }, 'projects names a project twice'],
      [{ heartbeat: 'yes' }, 'heartbeat must be boolean'],
    ] as const) {
      const answer = await put(body);
      assert.deepEqual([answer.status, answer.json()], [400, { error }]);
    }
    const { text: reading } = await givenToken(app.store, person.user, ['read_api']);
    assert.equal((await app.ask('PUT', PATH, { token: reading, body: { mail: 'off' } })).status, 403);
    assert.equal((await app.ask('PUT', PATH, { body: { mail: 'off' } })).status, 401);
  });

  it('have the address of the person, which they change themselves', async () => {
    const change = (email: unknown) => app.ask('PUT', '/api/v4/user', { token: person.token, body: { email } });
    assert.equal((await change('me@example.org')).json().email, 'me@example.org');
    assert.equal((await get()).json().email, 'me@example.org');
    const refused = await change('me@one@two');
    assert.deepEqual(
      [refused.status, refused.json().error],
      [400, 'email is invalid: Use an address such as name@example.org.'],
    );
    const { text: reading } = await givenToken(app.store, person.user, ['read_api']);
    assert.equal((await app.ask('PUT', '/api/v4/user', { token: reading, body: { email: '' } })).status, 403);
    const session = await givenSession(app, person.user);
    const bySession = (headers: Record<string, string>) =>
      app.ask('PUT', '/api/v4/user', { headers, body: { email: 'you@example.org' } });
    assert.equal((await bySession({ Cookie: session.Cookie })).status, 403, 'without the CSRF token');
    assert.equal((await bySession({ ...session })).json().email, 'you@example.org');
    assert.equal((await change('')).json().email, null);
    const project = await givenTrackedProject(app.store);
    await change('hidden@example.org');
    await app.store.setMember(project.id, person.user.id, 40);
    const owner = await givenMember(app.store, project, 'owner');
    const members = await app.get(`/api/v4/projects/${project.id}/members`, owner.token);
    assert.doesNotMatch(members.text, /hidden@/);
  });

  describe('links that end mails', () => {
    const linkOf = (userId: number, projectId: number | null = null) => {
      const { pathname, search } = new URL(app.unsubscribeLinks.linkFor({ userId, projectId }));
      return pathname + search;
    };
    const mailOf = async () => (await get()).json().mail;

    it('ask first, and change nothing when they are only opened', async () => {
      const page = await app.get(linkOf(person.user.id));
      assert.equal(page.status, 200);
      assert.match(page.headers.get('Content-Type') ?? '', /^text\/html/);
      assert.match(
        page.headers.get('Content-Security-Policy') ?? '',
        /^default-src 'none'; style-src 'sha256-[^']+'; form-action 'self'/,
      );
      assert.equal(page.headers.get('Referrer-Policy'), 'no-referrer');
      assert.match(
        page.text,
        /<form method="post"><p><button name="mails" value="all">Stop all alert mails<\/button><\/p><\/form>/,
      );
      assert.doesNotMatch(page.text, new RegExp(person.user.username));
      assert.equal(await mailOf(), 'all');
    });

    it('end all mails with one POST of a mail service: no session, no CSRF token, from anywhere', async () => {
      const project = await givenTrackedProject(app.store);
      await app.store.setMember(project.id, person.user.id, 30);
      await put({ projects: [{ project_id: project.id, mail: 'all' }], heartbeat: true, zone: 'Europe/Berlin' });
      const headers = { ...FORM, Origin: 'https://mail.example', 'Sec-Fetch-Site': 'cross-site' };
      const body = 'List-Unsubscribe=One-Click';
      for (const _repeat of [1, 2]) {
        const answer = await app.ask('POST', linkOf(person.user.id), { headers, body });
        assert.deepEqual([answer.status, /no more alert mails/.test(answer.text)], [200, true]);
      }
      const { mail, projects, heartbeat, zone } = (await get()).json();
      assert.deepEqual([mail, projects, heartbeat, zone], ['off', [], false, 'Europe/Berlin']);
      const boundary = { 'Content-Type': 'multipart/form-data; boundary=b' };
      const part = '--b\r\nContent-Disposition: form-data; name="List-Unsubscribe"\r\n\r\nOne-Click\r\n--b--\r\n';
      await put({ mail: 'all' });
      assert.equal((await app.ask('POST', linkOf(person.user.id), { headers: boundary, body: part })).status, 200);
      assert.equal(await mailOf(), 'off');
    });

    it('end the mails of one project, which is the list of a mail about one project, or all', async () => {
      const [shop, other] = [await givenTrackedProject(app.store), await givenTrackedProject(app.store)];
      for (const { id } of [shop, other]) await app.store.setMember(id, person.user.id, 30);
      await put({ projects: [{ project_id: other.id, mail: 'mine' }], heartbeat: true });
      const link = linkOf(person.user.id, shop.id);
      const page = await app.get(link);
      assert.match(page.text, new RegExp(`<button name="mails" value="project">Stop mails of ${shop.path}</button>`));
      assert.match(page.text, /<button name="mails" value="all">Stop all alert mails<\/button>/);
      const listed = async () => (await get()).json();
      // Mail services send the first body, the buttons of the page the others.
      for (const body of ['List-Unsubscribe=One-Click', 'mails=project']) {
        const answer = await app.ask('POST', link, { headers: FORM, body });
        assert.deepEqual([answer.status, answer.text.includes(`You get no more mails of ${shop.path}`)], [200, true]);
        const { mail, projects, heartbeat } = await listed();
        assert.deepEqual(
          [mail, heartbeat, projects],
          [
            'all',
            true,
            [
              { project_id: other.id, mail: 'mine' },
              { project_id: shop.id, mail: 'off' },
            ],
          ],
        );
      }
      const all = await app.ask('POST', link, { headers: FORM, body: 'mails=all' });
      assert.match(all.text, /You get no more alert mails/);
      assert.deepEqual([(await listed()).mail, (await listed()).projects], ['off', []]);
    });

    it('name a project to members only', async () => {
      const project = await givenTrackedProject(app.store);
      const link = linkOf(person.user.id, project.id);
      for (const method of ['GET', 'POST']) {
        const page = await app.ask(method, link, { headers: FORM });
        assert.deepEqual([page.status, page.text.includes(project.path)], [200, false]);
        assert.match(page.text, /mails of this project/);
      }
    });

    it('work for the person they were signed for only', async () => {
      const other = await givenPerson(app.store);
      const link = linkOf(other.user.id).replace(`token=${other.user.id}.`, `token=${person.user.id}.`);
      for (const forged of [
        link,
        '/-/alerts/unsubscribe',
        '/-/alerts/unsubscribe?token=',
        `${linkOf(person.user.id)}x`,
      ]) {
        for (const method of ['GET', 'POST']) {
          const answer = await app.ask(method, forged, { headers: FORM });
          assert.deepEqual([answer.status, /This link is not valid/.test(answer.text)], [400, true], forged);
        }
      }
      assert.equal(await mailOf(), 'all');
      assert.equal((await app.ask('POST', linkOf(999_999), { headers: FORM })).status, 200, 'a user that is gone');
    });
  });
});
