import { different, same } from '../pair.ts';
import { java, javaWithIncludes } from '../shapes/java.ts';

const pay = `
  com.acme.pay.Gateway.charge(Gateway.java:77)
  com.acme.pay.PayJob.run(PayJob.java:19)
  java.base/java.util.concurrent.ThreadPoolExecutor.runWorker(ThreadPoolExecutor.java:1136)`;

export const javaPairs = [
  same(
    'a mocking and a byte-buddy class with other suffixes',
    java({
      type: 'IllegalArgumentException',
      module: 'java.lang',
      value: 'amount',
      stack: `
        com.acme.pay.Gateway.charge(Gateway.java:77)
        com.acme.pay.Gateway$HibernateProxy$tFsSVVDp.charge(Unknown Source)
        com.acme.pay.PayJob.run(PayJob.java:19)`,
    }),
    java({
      type: 'IllegalArgumentException',
      module: 'java.lang',
      value: 'amount',
      stack: `
        com.acme.pay.Gateway.charge(Gateway.java:79)
        com.acme.pay.Gateway$HibernateProxy$Xk2mQ9aL.charge(Unknown Source)
        com.acme.pay.PayJob.run(PayJob.java:19)`,
    }),
  ),
  same(
    'reflection of Java 8 beside Java 17',
    javaWithIncludes({
      type: 'IllegalStateException',
      module: 'java.lang',
      value: 'not open',
      stack: `
        com.acme.pay.Gateway.open(Gateway.java:12)
        sun.reflect.NativeMethodAccessorImpl.invoke0(Native Method)
        sun.reflect.NativeMethodAccessorImpl.invoke(NativeMethodAccessorImpl.java:62)
        java.lang.reflect.Method.invoke(Method.java:498)
        com.acme.pay.Boot.start(Boot.java:8)`,
    }),
    javaWithIncludes({
      type: 'IllegalStateException',
      module: 'java.lang',
      value: 'not open',
      stack: `
        com.acme.pay.Gateway.open(Gateway.java:12)
        jdk.internal.reflect.DirectMethodHandleAccessor.invoke(DirectMethodHandleAccessor.java:103)
        java.lang.reflect.Method.invoke(Method.java:580)
        com.acme.pay.Boot.start(Boot.java:8)`,
    }),
  ),
  same(
    'recursion of another depth with entity ids in the text',
    java({
      type: 'StackOverflowError',
      module: 'java.lang',
      value: undefined,
      stack: `${'com.acme.pay.Tree.sum(Tree.java:14)\n'.repeat(40)}com.acme.pay.Report.print(Report.java:5)`,
    }),
    java({
      type: 'StackOverflowError',
      module: 'java.lang',
      value: undefined,
      stack: `${'com.acme.pay.Tree.sum(Tree.java:14)\n'.repeat(25)}com.acme.pay.Report.print(Report.java:5)`,
    }),
  ),
  different(
    'one simple name of two packages',
    java({ type: 'TimeoutException', module: 'java.util.concurrent', value: 'timed out', stack: pay }),
    java({ type: 'SocketTimeoutException', module: 'java.net', value: 'timed out', stack: pay }),
  ),
  different(
    'another caller of one failing helper',
    java({
      type: 'NullPointerException',
      module: 'java.lang',
      stack: `com.acme.util.Json.read(Json.java:10)\ncom.acme.pay.Invoice.load(Invoice.java:40)`,
    }),
    java({
      type: 'NullPointerException',
      module: 'java.lang',
      stack: `com.acme.util.Json.read(Json.java:10)\ncom.acme.pay.Customer.load(Customer.java:63)`,
    }),
  ),
];
