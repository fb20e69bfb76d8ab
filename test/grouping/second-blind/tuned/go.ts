import { both } from '../event.ts';
import { call, goroot, go, http, api } from '../shapes/go.ts';
import { different, same } from '../../pair.ts';

export const goPairs = [
  // The handler's closure got another number because a route was registered before it.
  same(
    'a closure of one function with another number',
    ...both(
      { name: '(*Server).routes.func3', line: 88 },
      { name: '(*Server).routes.func4', line: 97 },
      ({ name, line }) =>
        go([
          {
            type: 'runtime.boundsError',
            value: 'runtime error: index out of range [1] with length 1',
            frames: [
              ...http,
              call(`${api}/internal/server`, name, '/src/internal/server/server.go', line),
              call(`${api}/internal/token`, 'SplitBearer', '/src/internal/token/token.go', 21),
            ],
          },
        ]),
    ),
  ),
  // A library out of the module cache, then vendored; the call of the app is one.
  same(
    'a library in the module cache and vendored',
    ...both(
      { prefix: '/go/pkg/mod/github.com/jackc/pgx/v5@v5.5.3', inApp: true, module: 'github.com/jackc/pgx/v5' },
      { prefix: '/app/vendor/github.com/jackc/pgx/v5', inApp: false, module: 'github.com/jackc/pgx/v5' },
      ({ prefix, inApp, module }) =>
        go([
          {
            type: '*pgconn.PgError',
            value: 'ERROR: column "plate_country" does not exist (SQLSTATE 42703)',
            frames: [
              call(`${api}/internal/permits`, '(*Store).ByPlate', '/app/internal/permits/store.go', 58),
              call(module, '(*Conn).Query', `${prefix}/conn.go`, 742, inApp),
              call(module, '(*Conn).Prepare', `${prefix}/conn.go`, 314, inApp),
            ],
          },
        ]),
    ),
  ),
  // No stack, one lookup: only the pod's resolver and the name's random suffix differ.
  same(
    'no stack: another resolver address and request id',
    go([
      {
        type: '*fmt.wrapError',
        value:
          'request 7d1f6c7e-52c9-4a6f-9f3b-0c0b8e9f3a11: dial tcp: lookup ledger.prod.svc on 10.96.0.10:53: no such host',
      },
    ]),
    go([
      {
        type: '*fmt.wrapError',
        value:
          'request e4a90b52-6f0d-4f55-8a6f-91dd3a7db004: dial tcp: lookup ledger.prod.svc on 172.20.0.10:53: no such host',
      },
    ]),
  ),
  // One walk over nested zones, entered to another depth before the nil parent.
  same(
    'recursion of another depth',
    ...both(2, 9, (depth) =>
      go([
        {
          type: 'runtime.errorString',
          value: 'invalid memory address or nil pointer dereference',
          frames: [
            call(`${api}/internal/zones`, 'Load', '/src/internal/zones/load.go', 25),
            ...Array.from({ length: depth }, () =>
              call(`${api}/internal/zones`, '(*Zone).inherit', '/src/internal/zones/zone.go', 63),
            ),
            goroot('runtime', 'panicmem', 'runtime/panic.go', 261),
          ],
        },
      ]),
    ),
  ),
  // Both are `func1`, but of two different methods.
  different(
    'closures of two methods',
    ...both('(*Server).handleUpload.func1', '(*Server).handleRefund.func1', (name) =>
      go([
        {
          type: 'runtime.errorString',
          value: 'invalid memory address or nil pointer dereference',
          frames: [
            call(
              `${api}/internal/server`,
              name,
              '/src/internal/server/handlers.go',
              name.includes('Upload') ? 41 : 187,
            ),
            goroot('runtime', 'gopanic', 'runtime/panic.go', 770),
            goroot('runtime', 'panicmem', 'runtime/panic.go', 261),
          ],
        },
      ]),
    ),
  ),
  // A helper that panics for everybody: two callers hand it two nils.
  different(
    'one helper that panics, two callers',
    ...both(
      call(`${api}/internal/mail`, 'NewSender', '/src/internal/mail/sender.go', 19),
      call(`${api}/internal/gate`, '(*Controller).Open', '/src/internal/gate/controller.go', 104),
      (caller) =>
        go([
          {
            type: '*errors.errorString',
            value: 'must: unexpected nil',
            frames: [caller, call(`${api}/internal/must`, 'NotNil', '/src/internal/must/must.go', 9)],
          },
        ]),
    ),
  ),
  // Two upstream services time out; without a stack the URL is all there is.
  different(
    'no stack: two services that time out',
    go([{ type: '*url.Error', value: 'Post "https://payments.parkade.io/v1/captures": context deadline exceeded' }]),
    go([
      {
        type: '*url.Error',
        value: 'Get "https://geocoder.mapworks.com/reverse?lat=52.1&lon=4.9": context deadline exceeded',
      },
    ]),
  ),
];
