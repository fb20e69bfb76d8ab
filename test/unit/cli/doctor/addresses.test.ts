import assert from 'node:assert/strict';
import { checkAddresses } from '../../../../src/cli/doctor/machine-checks.ts';

const LOCAL = { host: '127.0.0.1', port: 9610 };
const SERVED = 'http://localhost:9610';

describe('doctor: the external URL', () => {
  it('is that of the running service where the command has none, with a notice about the difference', () => {
    const same = checkAddresses(LOCAL, SERVED, SERVED, false);
    assert.deepEqual([same.status, same.message], ['ok', SERVED]);
    const other = checkAddresses(LOCAL, 'http://localhost:8080', SERVED, false);
    assert.equal(other.status, 'ok');
    assert.match(
      other.message,
      /^http:\/\/localhost:9610, the address of the running service; .* http:\/\/localhost:8080$/,
    );
    assert.equal(checkAddresses(LOCAL, null, SERVED, false).message, SERVED);
  });

  it('is warned about where it is set to another one than the service has', () => {
    const { status, message, advice } = checkAddresses(LOCAL, 'https://a.example', 'https://b.example', true);
    assert.equal(status, 'warn');
    assert.match(message, /https:\/\/a\.example for this command, but the running service has https:\/\/b\.example/);
    assert.match(advice ?? '', /ERRGATE_EXTERNAL_URL/);
    assert.equal(checkAddresses(LOCAL, 'https://a.example', 'https://a.example', true).status, 'ok');
  });

  it('is checked by the configuration alone while no service runs', () => {
    assert.equal(checkAddresses(LOCAL, SERVED, null, false).message, SERVED);
    const wrong = checkAddresses(LOCAL, 'http://localhost:8080', null, true);
    assert.match(wrong.message, /has another port than the one errgate listens on \(9610\)/);
    assert.match(checkAddresses(LOCAL, 'http://errors.example', null, true).message, /unencrypted/);
  });
});
