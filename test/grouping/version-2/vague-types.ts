import { different, same } from '../pair.ts';
import { go } from '../shapes/go.ts';
import { node } from '../shapes/javascript.ts';
import { java } from '../shapes/java.ts';
import { python } from '../shapes/python.ts';

const helper = `
  main.report /build/report.go:9
  main.main /build/main.go:20`;
const later = `
  main.report /home/ci/shop/report.go:31
  main.main /home/ci/shop/main.go:77`;
const reported = (type: string, value: string, stack = helper) => go({ type, value, stack });
const caused = (outer: string, inner: string) =>
  go([
    { type: '*errors.errorString', value: inner },
    { type: '*fmt.wrapError', value: outer, stack: helper },
  ]);

/** C2: of types that say nothing the value counts. */
export const vagueTypePairs = [
  different(
    'errors.New of two faults in one helper',
    reported('*errors.errorString', 'disk is full'),
    reported('*errors.errorString', 'permission denied'),
  ),
  different(
    'fmt.Errorf around one cause',
    caused('load configuration: unexpected end', 'unexpected end'),
    caused('save the cart: unexpected end', 'unexpected end'),
  ),
  different(
    'errors.Join of other errors',
    reported('*errors.joinError', 'cart is empty\nno address'),
    reported('*errors.joinError', 'card expired\nno address'),
  ),
  different(
    'fmt.Errorf around several',
    reported('*fmt.wrapErrors', 'close: broken pipe and reset'),
    reported('*fmt.wrapErrors', 'open: no route and refused'),
  ),
  different('the interface as the type', reported('error', 'disk is full'), reported('error', 'permission denied')),
  different(
    'github.com/pkg/errors',
    reported('*errors.fundamental', 'disk is full'),
    reported('*errors.fundamental', 'permission denied'),
  ),
  different(
    'answers of a service over gRPC',
    reported('*status.Error', 'rpc error: code = NotFound desc = no user'),
    reported('*status.Error', 'rpc error: code = Unavailable desc = connection lost'),
  ),
  different(
    'answers of a service over HTTP',
    reported('*echo.HTTPError', 'code=404, message=no user'),
    reported('*echo.HTTPError', 'code=503, message=connection lost'),
  ),
  different(
    'a type with arguments',
    reported('*errors.errorString[main.Order]', 'disk is full'),
    reported('*errors.errorString[main.Order]', 'permission denied'),
  ),
  different(
    'one text from two places',
    reported('*errors.errorString', 'disk is full'),
    reported('*errors.errorString', 'disk is full', 'main.save /build/save.go:4\nmain.main /build/main.go:20'),
  ),
  same(
    'one text with another number, lines moved',
    reported('*errors.errorString', 'order 17 has no items'),
    reported('*errors.errorString', 'order 90111 has no items', later),
  ),
  same(
    'one wrapped text with another host',
    caused('dial 10.0.0.7:5432: connection refused', 'connection refused'),
    caused('dial 10.0.9.1:5432: connection refused', 'connection refused'),
  ),
  same(
    'one text with another id of a payment',
    reported('*errors.errorString', 'no such customer: cus_NffrFeUfNV2Hib'),
    reported('*errors.errorString', 'no such customer: cus_Q7hTr4PzLm9XbK', later),
  ),
  same(
    'a type that says something, whatever its text',
    reported('*shop.StockError', 'apples are out'),
    reported('*shop.StockError', 'pears are out'),
  ),
  same(
    'Error of JavaScript thrown by one function',
    node({ type: 'Error', value: 'cannot save apples', stack: 'save (/app/src/cart.js:10:5)' }),
    node({ type: 'Error', value: 'cannot save pears', stack: 'save (/app/src/cart.js:12:5)' }),
  ),
  same(
    'Exception of Java thrown by one method',
    java({ type: 'Exception', module: 'java.lang', value: 'no apples', stack: 'com.acme.shop.Cart.add(Cart.java:4)' }),
    java({ type: 'Exception', module: 'java.lang', value: 'no pears', stack: 'com.acme.shop.Cart.add(Cart.java:5)' }),
  ),
  same(
    'Exception of Python raised by one line',
    python({ type: 'Exception', value: 'no apples', stack: '/srv/shop/cart.py:4 in add | raise Exception(reason)' }),
    python({ type: 'Exception', value: 'no pears', stack: '/srv/shop/cart.py:4 in add | raise Exception(reason)' }),
  ),
];
