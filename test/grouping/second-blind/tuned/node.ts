import { app, lib, internal, node, ticks, uncaught, rejection } from '../shapes/node.ts';
import { both } from '../event.ts';
import { different, same } from '../../pair.ts';

export const nodePairs = [
  // One line of one service; the deploy directory, the line and Node's internals moved.
  same(
    'Nest service in another deploy directory and under another Node',
    node(
      [
        {
          type: 'TypeError',
          value: "Cannot read properties of null (reading 'taxRate')",
          mechanism: { type: 'generic', handled: true },
          frames: [
            internal('internal/process/task_queues', 'process.processTicksAndRejections', 95, 5),
            lib('@nestjs/core/router/router-execution-context.js', 'async', 46, 28, '/home/deploy/api/releases/118'),
            app(
              'dist/invoices/invoices.service.js',
              'InvoicesService.total',
              81,
              40,
              '        return net * (1 + region.taxRate);',
              '/home/deploy/api/releases/118',
            ),
          ],
        },
      ],
      '7.119.2',
      { server_name: 'api-1' },
    ),
    node(
      [
        {
          type: 'TypeError',
          value: "Cannot read properties of null (reading 'taxRate')",
          mechanism: { type: 'generic', handled: true },
          frames: [
            internal('internal/process/task_queues', 'process.processTicksAndRejections', 105, 5),
            lib('@nestjs/core/router/router-execution-context.js', 'null.<anonymous>', 46, 28, '/app'),
            lib('@nestjs/core/router/router-proxy.js', 'null.<anonymous>', 9, 17, '/app'),
            app(
              'dist/invoices/invoices.service.js',
              'InvoicesService.total',
              96,
              40,
              '        return net * (1 + region.taxRate);',
              '/app',
            ),
          ],
        },
      ],
      '8.40.0',
      { server_name: 'api-7c9d44b8f-qx2lm' },
    ),
  ),
  // pnpm puts the version of the package into the path; the caller is one.
  same(
    'a pnpm path with another version',
    ...both(
      { store: '.pnpm/knex@2.5.1_pg@8.11.3/node_modules/knex', lineno: 203 },
      { store: '.pnpm/knex@3.1.0_pg@8.13.1/node_modules/knex', lineno: 215 },
      ({ store, lineno }) =>
        node([
          {
            type: 'KnexTimeoutError',
            value:
              'Knex: Timeout acquiring a connection. The pool is probably full. Are you missing a .transacting(trx) call?',
            mechanism: rejection,
            frames: [
              ticks,
              app(
                'build/loyalty/points.js',
                'async awardPoints',
                57,
                22,
                '    const balance = await db("balances").where({ memberId }).first();',
              ),
              lib(`${store}/lib/execution/query-runner.js`, 'async Runner.ensureConnection', lineno + 80, 28),
              lib(`${store}/lib/client.js`, 'Client_PG.acquireConnection', lineno, 26),
            ],
          },
        ]),
    ),
  ),
  // The broker refuses connections; behind its service name is merely another pod.
  same(
    'no frames of the app: another address of the broker',
    ...both('10.42.3.17', '10.42.9.201', (address) =>
      node([
        {
          type: 'Error',
          value: `connect ECONNREFUSED ${address}:5671`,
          mechanism: uncaught,
          frames: [
            internal('net', 'TCPConnectWrap.afterConnect [as oncomplete]', 1607, 16),
            internal('internal/async_hooks', 'TCPConnectWrap.callbackTrampoline', 130, 17),
          ],
        },
      ]),
    ),
  ),
  // Two partner services answer 500; axios is where both surface.
  different(
    'one axios error from two clients',
    ...both(
      app(
        'dist/billing/stripeTax.js',
        'async StripeTaxClient.calculate',
        29,
        22,
        '        const { data } = await this.http.post("/calculations", body);',
      ),
      app(
        'dist/shipping/labels.js',
        'async LabelClient.create',
        40,
        22,
        '        const { data } = await this.http.post("/labels", parcel);',
      ),
      (client) =>
        node([
          {
            type: 'AxiosError',
            value: 'Request failed with status code 500',
            mechanism: rejection,
            frames: [
              client,
              ticks,
              lib('axios/dist/node/axios.cjs', 'async Axios.request', 4276, 41),
              lib('axios/dist/node/axios.cjs', 'settle', 2049, 12),
            ],
          },
        ]),
    ),
  ),
  // The queue's wrapper is one; a template that is missing and a full mailbox are two causes.
  different(
    'one job wrapper, two causes',
    ...both(
      {
        type: 'Error',
        value: "ENOENT: no such file or directory, open '/usr/src/app/templates/welcome.mjml'",
        frames: [
          app('dist/mail/render.js', 'async renderTemplate', 15, 20, '    const source = await readFile(path);'),
        ],
      },
      {
        type: 'SMTPError',
        value: '552 5.2.2 Mailbox full',
        frames: [app('dist/mail/transport.js', 'async Transport.deliver', 48, 13, '      throw new SMTPError(reply);')],
      },
      (cause) =>
        node([
          { ...cause, mechanism: { type: 'chained', handled: true, source: 'cause', exception_id: 1, parent_id: 0 } },
          {
            type: 'JobError',
            value: 'mail job failed',
            mechanism: { type: 'generic', handled: true, exception_id: 0 },
            frames: [
              lib('bullmq/dist/cjs/classes/worker.js', 'async Worker.processJob', 455, 28),
              app(
                'dist/worker.js',
                'async processMail',
                22,
                11,
                "    throw new JobError('mail job failed', { cause: error });",
              ),
            ],
          },
        ]),
    ),
  ),
];
