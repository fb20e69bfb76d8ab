import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { loadConfig } from '../../../config/load.ts';
import { readRoot, ROOT } from '../../support/doc-pages.ts';

/** Files with a site, whose first lines name the settings of errgate. */
const SITES = ['nginx/errgate.conf', 'nginx/errgate-sub-path.conf', 'caddy/Caddyfile', 'caddy/errgate-sub-path.caddy'];
const TRAEFIK = ['traefik/errgate.yml', 'traefik/traefik.yml'];
const MIB = 1024 * 1024;
/** Largest request of a build tool, with the frame of its form: docs/running.md. */
const UPLOAD_BYTES = 33 * MIB;

interface Dynamic {
  readonly routers: Readonly<
    Record<string, { service: string; entryPoints: readonly string[]; tls: { certResolver: string } }>
  >;
  readonly services: Readonly<Record<string, object>>;
}

interface Fixed {
  readonly entryPoints: Readonly<Record<string, object>>;
  readonly certificatesResolvers: Readonly<Record<string, object>>;
}

const site = (name: string) => readRoot(`deploy/${name}`);

describe('examples of reverse proxies', () => {
  it('are all known here, and named in docs/running.md', () => {
    const found = ['nginx', 'caddy', 'traefik'].flatMap((folder) =>
      readdirSync(join(ROOT, 'deploy', folder)).map((name) => `${folder}/${name}`),
    );
    assert.deepEqual(found.sort(), [...SITES, ...TRAEFIK].sort());
    const page = readRoot('docs/running.md');
    for (const name of found) assert.ok(page.includes(`../deploy/${name}`), name);
  });

  it('name settings of errgate that it takes, and that fit the example', () => {
    for (const name of [...SITES, 'traefik/errgate.yml']) {
      const env = Object.fromEntries(
        [...site(name).matchAll(/^# +(ERRGATE_\w+)=(\S+)/gm)].map(([, key = '', value = '']) => [key, value]),
      );
      const { externalUrl, trustedProxies } = loadConfig({ env }).server;
      assert.equal(trustedProxies, '127.0.0.1', name);
      const { hostname, pathname } = new URL(externalUrl ?? '');
      if (name.includes('sub-path')) assert.ok(site(name).includes(pathname), name);
      else assert.ok(site(name).includes(hostname), name);
    }
  });

  it('let bodies through that errgate takes', () => {
    const { maxRequestBytes } = loadConfig({ env: {} }).intake;
    for (const name of SITES) {
      const [, size] = /(?:client_max_body_size|max_size) (\d+)(?:m;|MiB)/.exec(site(name)) ?? [];
      assert.ok(Number(size) * MIB >= Math.max(maxRequestBytes, UPLOAD_BYTES), name);
    }
    assert.doesNotMatch(TRAEFIK.map(site).join(''), /maxRequestBodyBytes/);
  });

  it('close idle connections before errgate does', () => {
    const { keepAliveTimeoutMs } = loadConfig({ env: {} }).server;
    // The example below a sub-path of nginx opens a connection for each request.
    for (const name of [...SITES, 'traefik/errgate.yml'].filter((site) => site !== 'nginx/errgate-sub-path.conf')) {
      const [, seconds] = /(?:keepalive(?:_timeout)?|idleConnTimeout:) (\d+)s/.exec(site(name)) ?? [];
      assert.ok(Number(seconds) * 1000 < keepAliveTimeoutMs, name);
    }
  });

  it('keep metrics to themselves', () => {
    for (const name of [...SITES, 'traefik/errgate.yml']) assert.match(site(name), /\/-\/metrics/, name);
  });

  it('for Traefik are YAML whose parts fit together', () => {
    const { routers, services } = (parse(site('traefik/errgate.yml')) as { http: Dynamic }).http;
    const { entryPoints: known, certificatesResolvers } = parse(site('traefik/traefik.yml')) as Fixed;
    for (const { service, entryPoints, tls } of Object.values(routers)) {
      assert.ok(service in services);
      assert.ok(entryPoints.every((name) => name in known));
      assert.ok(tls.certResolver in certificatesResolvers);
    }
  });
});
