import assert from 'node:assert/strict';
import { once } from 'node:events';
import { Agent, get, type IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { closeServer, listen } from '../../../../src/gateway/http/http-server.ts';
import { closedGate } from '../../../support/gate.ts';
import { rawHttp } from '../../../support/raw-http.ts';

describe('a server that is closed', () => {
  it('ends connections whose clients ask again at once, long before its limit', async () => {
    const asked = closedGate();
    const answering = closedGate();
    const { server, port } = await listen(
      (_request, response) => {
        asked.open();
        void answering.passed.then(() => response.end('answer'));
      },
      '127.0.0.1',
      0,
    );
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const ask = async (): Promise<IncomingMessage> => {
      const [answer] = (await once(get({ agent, host: '127.0.0.1', port }), 'response')) as [IncomingMessage];
      await once(answer.resume(), 'end');
      return answer;
    };
    // Until the connection is refused.
    const client = (async () => {
      const answers: (string | undefined)[] = [];
      for (;;) {
        const answer = await ask().catch(() => null);
        if (answer === null) return answers;
        answers.push(answer.headers.connection);
      }
    })();
    await asked.passed;
    // The limit is longer than the patience of this test.
    const closed = closeServer(server, 600_000);
    answering.open();
    await closed;
    const answers = await client;
    agent.destroy();
    assert.equal(answers.at(-1), 'close');
    assert.ok(answers.length <= 2, answers.join(' '));
  });

  it('does not wait for connections that browsers opened in advance and never used', async () => {
    const { server, port } = await countingServer();
    const unused = connect(port, '127.0.0.1');
    await Promise.all([once(server, 'connection'), once(unused, 'connect')]);
    const ended = once(unused.resume(), 'close');
    // The limit is longer than the patience of this test.
    await closeServer(server, 600_000);
    await ended;
  });
});

/** Server that answers every request and counts them. */
async function countingServer() {
  let requests = 0;
  const listening = await listen(
    (_request, response) => {
      requests += 1;
      response.end('answer');
    },
    '127.0.0.1',
    0,
  );
  return { ...listening, asked: () => requests };
}

describe('a server', () => {
  it('refuses a request of HTTP/0.9, which names no version', async () => {
    const { server, port, asked } = await countingServer();
    assert.match(await rawHttp(`http://127.0.0.1:${port}`, 'GET /\r\n\r\n'), /^HTTP\/1\.1 400 [^]*HTTP\/0\.9/);
    assert.equal(asked(), 0);
    await closeServer(server, 1000);
  });

  it('refuses a request with two Host headers, and closes the connection', async () => {
    const { server, port, asked } = await countingServer();
    const url = `http://127.0.0.1:${port}`;
    const head = 'GET / HTTP/1.1\r\nConnection: close\r\nHost: a.example\r\n';
    assert.match(await rawHttp(url, `${head}\r\n`), /^HTTP\/1\.1 200 /);
    for (const second of ['Host: b.example', 'HOST: a.example']) {
      const answer = await rawHttp(url, `${head}${second}\r\n\r\n`);
      assert.match(answer, /^HTTP\/1\.1 400 /);
      assert.match(answer, /\r\nConnection: close\r\n/);
    }
    assert.equal(asked(), 1);
    await closeServer(server, 1000);
  });

  it('says for how long it keeps an idle connection', async () => {
    const { server, port } = await listen((_request, response) => response.end('answer'), '127.0.0.1', 0, {
      keepAliveTimeoutMs: 620_000,
    });
    const agent = new Agent({ keepAlive: true });
    const [answer] = (await once(get({ agent, host: '127.0.0.1', port }), 'response')) as [IncomingMessage];
    assert.equal(answer.headers['keep-alive'], 'timeout=620');
    agent.destroy();
    await closeServer(server, 1000);
  });

  it('continues when it cannot accept a connection, and logs it', async () => {
    const logged: Error[] = [];
    const { server } = await listen(() => undefined, '127.0.0.1', 0, { onAcceptError: (error) => logged.push(error) });
    const error = Object.assign(new Error('accept EMFILE'), { code: 'EMFILE' });
    server.emit('error', error);
    assert.deepEqual(logged, [error]);
    await closeServer(server, 1000);
  });
});
