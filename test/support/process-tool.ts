import assert from 'node:assert/strict';
import { formOf, sha1 } from './build-tools.ts';
import type { FirstStart, StartedService } from './service-process.ts';

/** State of an upload, as tools read it. */
export interface UploadAnswer {
  readonly state: string;
  readonly missingChunks: readonly string[];
  readonly detail: string | null;
}

/** Build tool that uploads to the first project of a service, and an application that sends events to it. */
export class ProcessTool {
  /** Replace it when the service starts again. */
  url: string;
  readonly #first: FirstStart;

  constructor({ url, first }: Pick<StartedService, 'url' | 'first'>) {
    this.url = url;
    this.#first = first;
  }

  /** Sends chunks in one request. */
  async send(...chunks: readonly Uint8Array[]): Promise<Response> {
    const { body, contentType } = formOf(chunks.map((content) => ({ name: 'file', filename: sha1(content), content })));
    return this.#post('chunk-upload/', body, contentType);
  }

  /** Asks for the upload that chunks make up. */
  assemble(...chunks: readonly Uint8Array[]): Promise<Response> {
    const checksum = sha1(Buffer.concat(chunks));
    const projects = [String(this.#first.project_id)];
    const body = JSON.stringify({ checksum, chunks: chunks.map(sha1), projects });
    return this.#post('artifactbundle/assemble/', Buffer.from(body), 'application/json');
  }

  async stateOf(...chunks: readonly Uint8Array[]): Promise<UploadAnswer> {
    const answer = await this.assemble(...chunks);
    const text = await answer.text();
    assert.equal(answer.status, 200, text);
    return JSON.parse(text) as UploadAnswer;
  }

  /** Uploads a bundle of one chunk as tools do. */
  async upload(bundle: Uint8Array): Promise<UploadAnswer> {
    const state = await this.stateOf(bundle);
    if (state.missingChunks.length === 0) return state;
    const sent = await this.send(bundle);
    assert.equal(sent.status, 200, await sent.text());
    return this.stateOf(bundle);
  }

  /** Sends an event of this moment; it must be accepted. */
  async sendEvent(event: Readonly<Record<string, unknown>>): Promise<void> {
    const { project_id: id, dsn } = this.#first;
    const address = `${this.url}/api/${id}/store/?sentry_key=${new URL(dsn).username}`;
    const body = JSON.stringify({ ...event, timestamp: Date.now() / 1000 });
    const answer = await fetch(address, { method: 'POST', body });
    assert.equal(answer.status, 200, await answer.text());
  }

  #post(path: string, body: Uint8Array, contentType: string): Promise<Response> {
    const organization = this.#first.project_path.split('/')[0] ?? '';
    return fetch(`${this.url}/api/0/organizations/${organization}/${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${this.#first.token}`, 'content-type': contentType },
      body: new Uint8Array(body),
    });
  }
}
