import { different, same } from '../pair.ts';
import { java, javaWithIncludes } from '../shapes/java.ts';

const service = `
  com.acme.shop.CartService.add(CartService.java:42)
  com.acme.shop.CartController.post(CartController.java:21)
  org.springframework.web.method.support.InvocableHandlerMethod.doInvoke(InvocableHandlerMethod.java:205)
  javax.servlet.http.HttpServlet.service(HttpServlet.java:681)`;
const state = { type: 'IllegalStateException', module: 'java.lang', value: 'cart is closed', stack: service };

export const javaPairs = [
  same('lines moved', java(state), java({ ...state, stack: service.replace(':42', ':58').replace(':21', ':30') })),
  same(
    'Spring proxies with other hashes',
    javaWithIncludes({
      ...state,
      stack: `
        com.acme.shop.CartService.add(CartService.java:42)
        com.acme.shop.CartService$$FastClassBySpringCGLIB$$1a2b3c4d.invoke(<generated>)
        com.acme.shop.CartService$$EnhancerBySpringCGLIB$$9f8e7d6c.add(<generated>)
        com.acme.shop.CartController.post(CartController.java:21)`,
    }),
    javaWithIncludes({
      ...state,
      stack: `
        com.acme.shop.CartService.add(CartService.java:44)
        com.acme.shop.CartService$$FastClassBySpringCGLIB$$77aa0012.invoke(<generated>)
        com.acme.shop.CartService$$EnhancerBySpringCGLIB$$c0ffee11.add(<generated>)
        com.acme.shop.CartController.post(CartController.java:21)`,
    }),
  ),
  same(
    'Spring 6 proxies of another count',
    javaWithIncludes({
      ...state,
      stack: `
        com.acme.shop.CartService$$SpringCGLIB$$0.add(<generated>)
        com.acme.shop.CartController.post(CartController.java:21)`,
    }),
    javaWithIncludes({
      ...state,
      stack: `
        com.acme.shop.CartService$$SpringCGLIB$$2.add(<generated>)
        com.acme.shop.CartController.post(CartController.java:22)`,
    }),
  ),
  same(
    'dynamic proxies and generated accessors',
    java({
      type: 'UndeclaredThrowableException',
      module: 'java.lang.reflect',
      value: undefined,
      stack: `
        com.sun.proxy.$Proxy112.find(Unknown Source)
        com.acme.shop.Catalog.find(Catalog.java:17)
        sun.reflect.GeneratedMethodAccessor213.invoke(Unknown Source)
        sun.reflect.DelegatingMethodAccessorImpl.invoke(DelegatingMethodAccessorImpl.java:43)
        com.acme.shop.Main.main(Main.java:9)`,
    }),
    java({
      type: 'UndeclaredThrowableException',
      module: 'java.lang.reflect',
      value: undefined,
      stack: `
        com.sun.proxy.$Proxy97.find(Unknown Source)
        com.acme.shop.Catalog.find(Catalog.java:17)
        sun.reflect.GeneratedMethodAccessor45.invoke(Unknown Source)
        sun.reflect.DelegatingMethodAccessorImpl.invoke(DelegatingMethodAccessorImpl.java:43)
        com.acme.shop.Main.main(Main.java:9)`,
    }),
  ),
  same(
    'lambdas renumbered',
    java({
      type: 'NumberFormatException',
      module: 'java.lang',
      value: 'For input string: "12a"',
      stack: `
        com.acme.shop.Import.lambda$readAll$3(Import.java:31)
        com.acme.shop.Import$$Lambda$212/0x00000008401d3c40.apply(Unknown Source)
        com.acme.shop.Import.readAll(Import.java:29)`,
    }),
    java({
      type: 'NumberFormatException',
      module: 'java.lang',
      value: 'For input string: "n/a"',
      stack: `
        com.acme.shop.Import.lambda$readAll$5(Import.java:34)
        com.acme.shop.Import$$Lambda$87/0x000000080018a221.apply(Unknown Source)
        com.acme.shop.Import.readAll(Import.java:30)`,
    }),
  ),
  same(
    'a deadlock report without a stack names other transactions',
    java({
      type: 'MySQLTransactionRollbackException',
      module: 'com.mysql.cj.jdbc.exceptions',
      value: 'Deadlock found for transaction 421938 at 2026-03-01 12:00:09; try restarting transaction',
    }),
    java({
      type: 'MySQLTransactionRollbackException',
      module: 'com.mysql.cj.jdbc.exceptions',
      value: 'Deadlock found for transaction 99 at 2026-04-11 23:59:59; try restarting transaction',
    }),
  ),
  same(
    'an older SDK sends no mechanism for the chain',
    java([
      { type: 'SQLException', module: 'java.sql', value: 'timeout after 3000 ms', stack: service },
      { type: 'CartException', module: 'com.acme.shop', value: 'cannot add', stack: service },
    ]),
    java([
      {
        type: 'SQLException',
        module: 'java.sql',
        value: 'timeout after 5000 ms',
        stack: service,
        mechanism: { type: 'chained', exception_id: 1, parent_id: 0 },
      },
      {
        type: 'CartException',
        module: 'com.acme.shop',
        value: 'cannot add',
        stack: service,
        mechanism: { type: 'chained', exception_id: 0 },
      },
    ]),
  ),
  different(
    'another cause in another place under one wrapper',
    java([
      { type: 'SQLException', module: 'java.sql', value: 'timeout', stack: service },
      { type: 'CartException', module: 'com.acme.shop', value: 'cannot add', stack: service },
    ]),
    java([
      { type: 'NullPointerException', module: 'java.lang', value: undefined, stack: service },
      { type: 'CartException', module: 'com.acme.shop', value: 'cannot add', stack: service },
    ]),
  ),
  different(
    'two inner classes',
    java({ ...state, stack: 'com.acme.shop.Pool$Reader.run(Pool.java:90)' }),
    java({ ...state, stack: 'com.acme.shop.Pool$Writer.run(Pool.java:130)' }),
  ),
  different(
    'one method name in two classes',
    java({ ...state, stack: service.replace('CartService.add(CartService', 'WishService.add(WishService') }),
    java(state),
  ),
];
