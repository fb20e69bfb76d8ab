import { both } from '../event.ts';
import { call, goroot, go, http, api } from '../shapes/go.ts';
import { different, same } from '../../pair.ts';

export const goPairs = [
  // One slice access out of range; other numbers, another build directory, one build trimmed.
  same(
    'other bounds, and paths trimmed from the build',
    go([
      {
        type: 'runtime.boundsError',
        value: 'runtime error: slice bounds out of range [:512] with capacity 256',
        frames: [
          call('main', 'main', '/home/runner/work/ingest/ingest/cmd/ingest/main.go', 41),
          call(
            'github.com/parkade/ingest/wire',
            '(*Reader).Next',
            '/home/runner/work/ingest/ingest/wire/reader.go',
            77,
          ),
          call('github.com/parkade/ingest/wire', 'decodeFrame', '/home/runner/work/ingest/ingest/wire/frame.go', 34),
        ],
      },
    ]),
    go(
      [
        {
          type: 'runtime.boundsError',
          value: 'runtime error: slice bounds out of range [:4096] with capacity 1024',
          frames: [
            call('main', 'main', 'github.com/parkade/ingest/cmd/ingest/main.go', 44),
            call('github.com/parkade/ingest/wire', '(*Reader).Next', 'github.com/parkade/ingest/wire/reader.go', 79),
            call('github.com/parkade/ingest/wire', 'decodeFrame', 'github.com/parkade/ingest/wire/frame.go', 34),
          ],
        },
      ],
      '0.31.0',
    ),
  ),
  // One generic function; the older toolchain writes its shape arguments out.
  same(
    'a generic function with and without its shape',
    ...both('Decode[go.shape.struct { Plate string; Zone int }]', 'Decode[...]', (name) =>
      go([
        {
          type: '*json.SyntaxError',
          value: "invalid character '<' looking for beginning of value",
          frames: [
            ...http,
            call(`${api}/internal/webhook`, 'Receive', '/src/internal/webhook/receive.go', 30),
            call(`${api}/internal/httpx`, name, '/src/internal/httpx/decode.go', 17),
          ],
        },
      ]),
    ),
  ),
  // A nil map written to at one place, with middleware added between server and handler.
  same(
    'middleware added below the handler',
    go([
      {
        type: 'runtime.plainError',
        value: 'assignment to entry in nil map',
        frames: [
          ...http,
          call(
            'github.com/go-chi/chi/v5',
            '(*Mux).ServeHTTP',
            '/go/pkg/mod/github.com/go-chi/chi/v5@v5.0.11/mux.go',
            90,
          ),
          call(`${api}/internal/tags`, '(*Handler).Put', '/src/internal/tags/handler.go', 49),
        ],
      },
    ]),
    go([
      {
        type: 'runtime.plainError',
        value: 'assignment to entry in nil map',
        frames: [
          ...http,
          call(
            'go.opentelemetry.io/contrib/instrumentation/net/http/otelhttp',
            '(*middleware).serveHTTP',
            '/go/pkg/mod/go.opentelemetry.io/contrib/instrumentation/net/http/otelhttp@v0.57.0/handler.go',
            176,
          ),
          call(
            'github.com/go-chi/chi/v5',
            '(*Mux).ServeHTTP',
            '/go/pkg/mod/github.com/go-chi/chi/v5@v5.1.0/mux.go',
            90,
          ),
          call(
            'github.com/go-chi/chi/v5',
            '(*Mux).routeHTTP',
            '/go/pkg/mod/github.com/go-chi/chi/v5@v5.1.0/mux.go',
            459,
          ),
          call(`${api}/internal/tags`, '(*Handler).Put', '/src/internal/tags/handler.go', 49),
        ],
      },
    ]),
  ),
  // The same goroutine started by `go` directly, or through errgroup after a refactoring of the caller.
  same(
    'the goroutine is now started by errgroup',
    go([
      {
        type: '*errors.errorString',
        value: 'tariff: no rate for interval',
        frames: [
          call(`${api}/internal/tariff`, '(*Refresher).Run.func1', '/src/internal/tariff/refresher.go', 40),
          call(`${api}/internal/tariff`, '(*Refresher).refreshZone', '/src/internal/tariff/refresher.go', 66),
          call(`${api}/internal/tariff`, 'rateFor', '/src/internal/tariff/rates.go', 28),
        ],
      },
    ]),
    go([
      {
        type: '*errors.errorString',
        value: 'tariff: no rate for interval',
        frames: [
          call(
            'golang.org/x/sync/errgroup',
            '(*Group).Go.func1',
            '/go/pkg/mod/golang.org/x/sync@v0.8.0/errgroup/errgroup.go',
            78,
          ),
          call(`${api}/internal/tariff`, '(*Refresher).Run.func1.1', '/src/internal/tariff/refresher.go', 43),
          call(`${api}/internal/tariff`, '(*Refresher).refreshZone', '/src/internal/tariff/refresher.go', 71),
          call(`${api}/internal/tariff`, 'rateFor', '/src/internal/tariff/rates.go', 28),
        ],
      },
    ]),
  ),
  // EOF is every reader's error; a truncated upload and a truncated cache file are two faults.
  different(
    'one sentinel error of two readers',
    ...both(
      [call(`${api}/internal/upload`, '(*Session).Append', '/src/internal/upload/session.go', 92)],
      [
        call(`${api}/internal/geo`, 'LoadIndex', '/src/internal/geo/index.go', 33),
        call(`${api}/internal/geo`, 'readHeader', '/src/internal/geo/index.go', 58),
      ],
      (frames) =>
        go([
          {
            type: '*errors.errorString',
            value: 'unexpected EOF',
            frames: [...frames, goroot('io', 'ReadFull', 'io/io.go', 354)],
          },
        ]),
    ),
  ),
  // The outer text and call are one; a refused card and a broken certificate are two roots.
  different(
    'a chain of three with another root',
    ...both(
      { type: '*pay.DeclinedError', value: 'card declined: insufficient funds' },
      { type: 'x509.UnknownAuthorityError', value: 'x509: certificate signed by unknown authority' },
      (root) =>
        go([
          root,
          { type: '*fmt.wrapError', value: `capture: ${root.value}` },
          {
            type: '*fmt.wrapError',
            value: `closing session: capture: ${root.value}`,
            frames: [
              call(`${api}/internal/session`, '(*Service).Close', '/src/internal/session/service.go', 131),
              call(`${api}/internal/session`, '(*Service).settle', '/src/internal/session/service.go', 160),
            ],
          },
        ]),
    ),
  ),
  // One function, two defects: a failed type assertion and a division by zero.
  different(
    'two panics in one function',
    ...both(
      {
        type: '*runtime.TypeAssertionError',
        value: 'interface conversion: interface {} is string, not float64',
        lineno: 52,
      },
      { type: 'runtime.runtimeError', value: 'runtime error: integer divide by zero', lineno: 71 },
      ({ type, value, lineno }) =>
        go([
          {
            type,
            value,
            frames: [
              call('main', 'main', '/src/cmd/report/main.go', 30),
              call(`${api}/internal/report`, 'occupancy', '/src/internal/report/occupancy.go', lineno),
            ],
          },
        ]),
    ),
  ),
];
