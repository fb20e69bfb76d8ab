import { different, same } from '../pair.ts';
import { go } from '../shapes/go.ts';

const add = `
  github.com/acme/shop/cart.(*Service).Add /build/cart/service.go:42
  github.com/acme/shop/web.(*Handler).AddItem /build/web/handler.go:88
  net/http.HandlerFunc.ServeHTTP /usr/local/go/src/net/http/server.go:2136
  net/http.(*conn).serve /usr/local/go/src/net/http/server.go:2009`;

const noRows = { type: '*errors.errorString', value: 'sql: no rows in result set', stack: add };

export const goPairs = [
  same(
    'lines moved and another checkout folder',
    go(noRows),
    go({
      ...noRows,
      stack: `
        github.com/acme/shop/cart.(*Service).Add /home/runner/work/shop/cart/service.go:57
        github.com/acme/shop/web.(*Handler).AddItem /home/runner/work/shop/web/handler.go:91
        net/http.HandlerFunc.ServeHTTP /usr/local/go/src/net/http/server.go:2220
        net/http.(*conn).serve /usr/local/go/src/net/http/server.go:2092`,
    }),
  ),
  same(
    'closures renumbered',
    go({
      type: 'runtime.boundsError',
      value: 'index out of range [5] with length 3',
      stack: `
        github.com/acme/shop/jobs.(*Pool).Run.func1 /build/jobs/pool.go:31
        github.com/acme/shop/jobs.(*Pool).Start.func2.1 /build/jobs/pool.go:60`,
    }),
    go({
      type: 'runtime.boundsError',
      value: 'index out of range [17] with length 9',
      stack: `
        github.com/acme/shop/jobs.(*Pool).Run.func2 /build/jobs/pool.go:35
        github.com/acme/shop/jobs.(*Pool).Start.func3.1 /build/jobs/pool.go:64`,
    }),
  ),
  same(
    'an old SDK lists exceptions beside a new one with values and mechanisms',
    {
      platform: 'go',
      sdk: { name: 'sentry.go', version: '0.20.0' },
      exception: [
        {
          type: '*net.OpError',
          value: 'dial tcp 10.0.3.7:5432: connect: connection refused',
          stacktrace: {
            frames: [{ function: 'main', module: 'main', abs_path: '/src/main.go', lineno: 12, in_app: true }],
          },
        },
      ],
    },
    go(
      {
        type: '*net.OpError',
        value: 'dial tcp 10.0.9.12:5432: connect: connection refused',
        mechanism: { type: 'generic', handled: true },
        stack: `main.main /src/main.go:14`,
      },
      { sdk: { name: 'sentry.go', version: '0.33.0' } },
    ),
  ),
  same(
    'a wrapped error without a stack names another order',
    go([
      { type: '*errors.errorString', value: 'payment declined' },
      { type: '*fmt.wrapError', value: 'order 81723: payment declined', stack: add },
    ]),
    go([
      { type: '*errors.errorString', value: 'payment declined' },
      { type: '*fmt.wrapError', value: 'order 99: payment declined', stack: add },
    ]),
  ),
  same(
    'recursion of another depth',
    go({
      type: 'runtime.Error',
      value: 'stack overflow',
      stack: `
        github.com/acme/shop/tree.walk /build/tree/walk.go:9
        github.com/acme/shop/tree.walk /build/tree/walk.go:12
        github.com/acme/shop/tree.walk /build/tree/walk.go:12
        github.com/acme/shop/tree.Visit /build/tree/walk.go:4`,
    }),
    go({
      type: 'runtime.Error',
      value: 'stack overflow',
      stack: `
        github.com/acme/shop/tree.walk /build/tree/walk.go:9
        ${'github.com/acme/shop/tree.walk /build/tree/walk.go:12\n'.repeat(9)}
        github.com/acme/shop/tree.Visit /build/tree/walk.go:4`,
    }),
  ),
  same(
    'no stack, another address in the text',
    go({ type: '*url.Error', value: 'Get "https://api.acme.example/v2/items/4711": context deadline exceeded' }),
    go({ type: '*url.Error', value: 'Get "https://api.acme.example/v2/items/815": context deadline exceeded' }),
  ),
  same(
    'the recover helper of the SDK at the end',
    go({
      type: 'runtime.plainError',
      value: 'assignment to entry in nil map',
      stack: `
        github.com/acme/shop/cart.New /build/cart/new.go:10
        github.com/acme/shop/web.(*Handler).Show /build/web/handler.go:20`,
    }),
    go({
      type: 'runtime.plainError',
      value: 'assignment to entry in nil map',
      stack: `
        github.com/getsentry/sentry-go.(*Hub).Recover /go/pkg/mod/github.com/getsentry/sentry-go@v0.27.0/hub.go:267
        runtime.gopanic /usr/local/go/src/runtime/panic.go:914
        github.com/acme/shop/cart.New /build/cart/new.go:10
        github.com/acme/shop/web.(*Handler).Show /build/web/handler.go:20`,
    }),
  ),
  different(
    'one type in two places',
    go(noRows),
    go({ ...noRows, stack: add.replace('cart.(*Service).Add', 'cart.(*Service).Remove') }),
  ),
  different(
    'one function name in two packages',
    go({ ...noRows, stack: 'github.com/acme/shop/cart.Load /build/cart/load.go:8' }),
    go({ ...noRows, stack: 'github.com/acme/shop/order.Load /build/order/load.go:8' }),
  ),
  different(
    'two receivers with one method name',
    go({ ...noRows, stack: 'github.com/acme/shop/store.(*Users).Find /build/store/users.go:8' }),
    go({ ...noRows, stack: 'github.com/acme/shop/store.(*Orders).Find /build/store/orders.go:8' }),
  ),
];
