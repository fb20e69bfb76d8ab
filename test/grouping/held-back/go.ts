import { different, same } from '../pair.ts';
import { go } from '../shapes/go.ts';

const publish = `
  github.com/acme/queue/v2/broker.(*Client).Publish /build/broker/client.go:120
  github.com/acme/shop/events.Emit /build/events/emit.go:33
  main.main /build/cmd/worker/main.go:50`;

export const goPairs = [
  same(
    'module cache of another version and generic arguments',
    go({
      type: '*json.UnmarshalTypeError',
      value: 'json: cannot unmarshal string into Go struct field Item.price of type float64',
      stack: `
        github.com/acme/kit/decode.Body[...] /go/pkg/mod/github.com/acme/kit@v1.4.2/decode/body.go:21
        github.com/acme/shop/web.create /build/web/create.go:18`,
    }),
    go({
      type: '*json.UnmarshalTypeError',
      value: 'json: cannot unmarshal string into Go struct field Item.price of type float64',
      stack: `
        github.com/acme/kit/decode.Body /go/pkg/mod/github.com/acme/kit@v1.6.0/decode/body.go:25
        github.com/acme/shop/web.create /build/web/create.go:18`,
    }),
  ),
  same(
    'a panic with another pointer',
    go({
      type: 'runtime.errorString',
      value: 'invalid memory address or nil pointer dereference [signal SIGSEGV code=0x1 addr=0x18 pc=0x6f0a2c]',
      stack: publish,
    }),
    go({
      type: 'runtime.errorString',
      value: 'invalid memory address or nil pointer dereference [signal SIGSEGV code=0x1 addr=0x18 pc=0x71bb40]',
      stack: publish.replace(':120', ':131'),
    }),
  ),
  same(
    'no stack: another host, port and duration',
    go({ type: '*net.OpError', value: 'read tcp 10.1.0.4:38212->10.1.0.9:6379: i/o timeout after 3.5s' }),
    go({ type: '*net.OpError', value: 'read tcp 10.1.0.8:51010->10.1.0.9:6379: i/o timeout after 12.25s' }),
  ),
  different(
    'two error types from one call',
    go({ type: '*broker.TimeoutError', value: 'publish failed', stack: publish }),
    go({ type: '*broker.AuthError', value: 'publish failed', stack: publish }),
  ),
  different(
    'another cause under one wrapper',
    go([
      { type: '*strconv.NumError', value: 'strconv.Atoi: parsing "x": invalid syntax' },
      { type: '*fmt.wrapError', value: 'reading configuration', stack: publish },
    ]),
    go([
      { type: '*fs.PathError', value: 'open /etc/shop.toml: no such file or directory' },
      { type: '*fmt.wrapError', value: 'reading configuration', stack: publish },
    ]),
  ),
];
