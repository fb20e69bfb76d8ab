import { app, lib, internal, node, ticks, uncaught, rejection, express, layers } from '../shapes/node.ts';
import { both } from '../event.ts';
import { different, same } from '../../pair.ts';

export const nodePairs = [
  // The same element-wise import; only the index inside Promise.all differs.
  same(
    'another index of Promise.all',
    ...both(0, 37, (index) =>
      node([
        {
          type: 'ValidationError',
          value: 'currency is required',
          mechanism: rejection,
          frames: [
            app(
              'src/jobs/importPrices.mjs',
              'async importPrices',
              24,
              3,
              '  await Promise.all(rows.map((row) => importRow(row)));',
            ),
            { function: `async Promise.all (index ${index})`, in_app: false },
            ticks,
            app('src/jobs/importPrices.mjs', 'async importRow', 38, 17, '  const price = parsePrice(row);'),
            app(
              'src/jobs/parsePrice.mjs',
              'parsePrice',
              11,
              11,
              "    throw new ValidationError('currency is required');",
            ),
          ],
        },
      ]),
    ),
  ),
  // One bulk insert with another number of rows, hence of placeholders.
  same(
    'a bulk insert with another number of placeholders',
    ...both('($1, $2), ($3, $4)', '($1, $2), ($3, $4), ($5, $6), ($7, $8), ($9, $10)', (rows) =>
      node([
        {
          type: 'error',
          value: `insert into "audit_entries" ("actor", "action") values ${rows} - null value in column "actor" of relation "audit_entries" violates not-null constraint`,
          mechanism: rejection,
          frames: [
            ticks,
            app(
              'src/audit/writer.js',
              'async AuditWriter.flush',
              44,
              7,
              "      await this.db('audit_entries').insert(batch);",
            ),
            lib('pg-protocol/dist/parser.js', 'Parser.parseErrorMessage', 283, 98),
          ],
        },
      ]),
    ),
  ),
  // Two routes; Express carries both and the engine words both alike.
  different(
    'one destructuring message, two routes',
    ...both(
      app('dist/routes/teams.js', 'exports.inviteMember', 33, 13, '    const { email } = req.body.invite;'),
      app('dist/routes/webhooks.js', 'handleMailgun', 71, 13, '    const { email } = event.recipient;'),
      (route) =>
        node([
          {
            type: 'TypeError',
            value: "Cannot destructure property 'email' of 'undefined' as it is undefined.",
            mechanism: express,
            frames: [...layers, route],
          },
        ]),
    ),
  ),
  // Both surface in Node's internals alone; a name that does not resolve is no reset connection.
  different(
    'only internal frames: an unknown host and a hang-up',
    node([
      {
        type: 'Error',
        value: 'getaddrinfo ENOTFOUND reports-db.internal',
        mechanism: uncaught,
        frames: [internal('dns', 'GetAddrInfoReqWrap.onlookupall [as oncomplete]', 120, 26)],
      },
    ]),
    node([
      {
        type: 'Error',
        value: 'socket hang up',
        mechanism: uncaught,
        frames: [
          internal('_http_client', 'TLSSocket.socketOnEnd', 524, 23),
          internal('events', 'TLSSocket.emit', 530, 35),
          internal('internal/streams/readable', 'endReadableNT', 1698, 12),
        ],
      },
    ]),
  ),
];
