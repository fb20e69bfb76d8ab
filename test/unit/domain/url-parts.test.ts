import assert from 'node:assert/strict';
import { urlHost, urlPath } from '../../../src/domain/url-parts.ts';

describe('parts of an address', () => {
  it('are its host without name, password and port, in lower case', () => {
    for (const [url, host] of [
      ['https://Shop.Site-B.example:8443/a?b#c', 'shop.site-b.example'],
      ['https://ada:pw@site.example', 'site.example'],
      ['//cdn.example./x', 'cdn.example'],
      ['http://[::1]:80/x', '[::1]'],
      ['https://bücher.example/x', 'xn--bcher-kva.example'],
      ['http://localhost?x', 'localhost'],
      ['app:///main.js', null],
      ['file:///etc/passwd', null],
      ['/checkout', null],
      ['GET /x http://a.example/', null],
      ['', null],
    ] as const) {
      assert.equal(urlHost(url), host, url);
    }
  });

  it('are its path without query and fragment', () => {
    for (const [url, path] of [
      ['https://a.example/b/C?d=/e', '/b/C'],
      ['https://a.example', '/'],
      ['https://a.example?x', '/'],
      ['//a.example/b#c', '/b'],
      ['/b/c?d', '/b/c'],
      ['app:///main.js', '/main.js'],
      ['b/c', null],
    ] as const) {
      assert.equal(urlPath(url), path, url);
    }
  });
});
