import assert from 'node:assert/strict';
import type { Answer } from './app.ts';
import { issueUrl, makeIssueEvent, signedHeaders, type IssueEventOptions } from './issue-events.ts';
import type { LinkWorld } from './link-world.ts';

export const HOOK = '/hooks/gitlab';

/** A project whose error is linked to issue 12, and whose webhook is on. */
export class HookWorld {
  readonly w: LinkWorld;
  readonly secret: string;
  #serial = 0;

  private constructor(w: LinkWorld, secret: string) {
    this.w = w;
    this.secret = secret;
  }

  static async open(w: LinkWorld): Promise<HookWorld> {
    const made = await w.app.ask('PUT', w.base + HOOK, { token: w.people.maintainer.token, body: {} });
    assert.equal(made.status, 200, made.text);
    assert.equal((await w.issues('POST', '', { url: issueUrl(12), title: 'Shop is down' })).status, 201);
    return new HookWorld(w, made.json().secret);
  }

  /** Sends a signed event; each gets an id of its own. */
  send(options: Partial<IssueEventOptions> = {}, given: Record<string, string> = {}): Promise<Answer> {
    const { clock } = this.w.app;
    clock.at += 1000;
    const body = JSON.stringify(makeIssueEvent({ at: clock.at, ...options }));
    this.#serial += 1;
    const id = given.id ?? `${this.w.project.id}-${this.#serial}`;
    return this.post(body, signedHeaders(body, this.secret, id, Math.floor(clock.at / 1000)));
  }

  post(body: string, headers: Record<string, string>, base = this.w.base): Promise<Answer> {
    const event = { 'content-type': 'application/json', 'x-gitlab-event': 'Issue Hook' };
    return this.w.app.ask('POST', base + HOOK, { body, headers: { ...event, ...headers } });
  }

  /** Sends an event; returns how many errors changed. */
  async changed(options: Partial<IssueEventOptions> = {}): Promise<number> {
    const answer = await this.send(options);
    assert.equal(answer.status, 200, answer.text);
    return answer.json().changed;
  }

  async status(errorId = this.w.errorId): Promise<string> {
    return (await this.w.app.get(`${this.w.base}/errors/${errorId}`, this.w.people.reporter.token)).json().status;
  }

  async set(status: string): Promise<void> {
    const { w } = this;
    const path = `${w.base}/errors/${w.errorId}`;
    const answer = await w.app.ask('PUT', path, { token: w.people.developer.token, body: { status } });
    assert.equal(answer.status, 200, answer.text);
  }

  async activity(): Promise<Record<string, unknown>[]> {
    const path = `${this.w.base}/errors/${this.w.errorId}/activity`;
    return (await this.w.app.get(path, this.w.people.reporter.token)).json();
  }
}
