import { both } from '../event.ts';
import { call, java, uncaught, resolver, tomcat9, tomcat10, berth, constraintChain } from '../shapes/java.ts';
import { different, same } from '../../pair.ts';

export const javaPairs = [
  // One null at one place; only newer JVMs say which variable it was.
  same(
    'null pointer with and without the helpful message',
    java([
      {
        type: 'NullPointerException',
        module: 'java.lang',
        value: null,
        mechanism: uncaught,
        frames: [
          call('java.lang.Thread', 'run', 'Thread.java', 748),
          call('com.harborline.ais.PositionFeed', 'onMessage', 'PositionFeed.java', 61),
          call('com.harborline.ais.Position', 'isStale', 'Position.java', 39),
        ],
      },
    ]),
    java([
      {
        type: 'NullPointerException',
        module: 'java.lang',
        value: 'Cannot invoke "java.time.Instant.isBefore(java.time.Instant)" because "this.receivedAt" is null',
        mechanism: uncaught,
        frames: [
          call('java.lang.Thread', 'run', 'Thread.java', 1583),
          call('com.harborline.ais.PositionFeed', 'onMessage', 'PositionFeed.java', 61),
          call('com.harborline.ais.Position', 'isStale', 'Position.java', 39),
        ],
      },
    ]),
  ),
  // One constraint hit by one insert; another ship's number, another Hibernate.
  same(
    'unique constraint with another key and another Hibernate',
    java(constraintChain('9321483', 'org.hibernate.exception.internal.SQLStateConversionDelegate', 37)),
    java(constraintChain('9839430', 'org.hibernate.exception.internal.StandardSQLExceptionConverter', 41)),
  ),
  // The computation moved onto an executor; what fails is the same call.
  same(
    'called directly, then through a completable future',
    java([
      {
        type: 'ArithmeticException',
        module: 'java.lang',
        value: 'Non-terminating decimal expansion; no exact representable decimal result.',
        frames: [
          ...tomcat9,
          call('com.harborline.fees.FeeController', 'quote', 'FeeController.java', 29),
          call('com.harborline.fees.FeeService', 'perTon', 'FeeService.java', 90),
          call('java.math.BigDecimal', 'divide', 'BigDecimal.java', 1690),
        ],
      },
    ]),
    java([
      {
        type: 'ArithmeticException',
        module: 'java.lang',
        value: 'Non-terminating decimal expansion; no exact representable decimal result.',
        frames: [
          call('java.util.concurrent.ThreadPoolExecutor$Worker', 'run', 'ThreadPoolExecutor.java', 642),
          call('java.util.concurrent.CompletableFuture$AsyncSupply', 'run', 'CompletableFuture.java', 1768),
          call('com.harborline.fees.FeeController', 'lambda$quote$0', 'FeeController.java', 33),
          call('com.harborline.fees.FeeService', 'perTon', 'FeeService.java', 90),
          call('java.math.BigDecimal', 'divide', 'BigDecimal.java', 1783),
        ],
      },
      {
        type: 'CompletionException',
        module: 'java.util.concurrent',
        value:
          'java.lang.ArithmeticException: Non-terminating decimal expansion; no exact representable decimal result.',
        frames: [
          call('java.util.concurrent.CompletableFuture$AsyncSupply', 'run', 'CompletableFuture.java', 1770),
          call('java.util.concurrent.CompletableFuture', 'encodeThrowable', 'CompletableFuture.java', 315),
        ],
      },
    ]),
  ),
  // A coroutine of one Kotlin function; the compiler renumbered its class.
  same(
    'Kotlin coroutine class with another number',
    ...both({ coroutine: 'load$2', lineno: 47 }, { coroutine: 'load$3', lineno: 52 }, ({ coroutine, lineno }) =>
      java([
        {
          type: 'NoSuchElementException',
          module: 'java.util',
          value: 'Collection contains no element matching the predicate.',
          mechanism: uncaught,
          frames: [
            call('kotlinx.coroutines.scheduling.CoroutineScheduler$Worker', 'run', 'CoroutineScheduler.kt', 684),
            call('kotlinx.coroutines.DispatchedTask', 'run', 'DispatchedTask.kt', 104),
            call('kotlin.coroutines.jvm.internal.BaseContinuationImpl', 'resumeWith', 'ContinuationImpl.kt', 33),
            call(
              `com.harborline.weather.ForecastRepository$${coroutine}`,
              'invokeSuspend',
              'ForecastRepository.kt',
              lineno,
            ),
            call('com.harborline.weather.Forecast', 'at', 'Forecast.kt', 18),
          ],
        },
      ]),
    ),
  ),
  // One class, two lambdas of two methods: each empties another Optional.
  different(
    'lambdas of two methods of one class',
    ...both(
      { outer: 'refund', inner: 'lambda$refund$0', lineno: 61 },
      { outer: 'capture', inner: 'lambda$capture$1', lineno: 97 },
      ({ outer, inner, lineno }) =>
        java([
          {
            type: 'NoSuchElementException',
            module: 'java.util',
            value: 'No value present',
            mechanism: resolver,
            frames: [
              ...tomcat10,
              call('com.harborline.pay.PaymentService', outer, 'PaymentService.java', lineno - 3),
              call(
                'org.springframework.transaction.support.TransactionTemplate',
                'execute',
                'TransactionTemplate.java',
                140,
              ),
              call('com.harborline.pay.PaymentService', inner, 'PaymentService.java', lineno),
              call('java.util.Optional', 'get', 'Optional.java', 143),
            ],
          },
        ]),
    ),
  ),
  // The app's own filter lies below every request; the two handlers behind it fail on their own.
  different(
    'one servlet filter of the app, two handlers',
    ...both(
      [
        call('com.harborline.gate.GateController', 'checkIn', 'GateController.java', 73),
        call('com.harborline.gate.TruckRepository', 'require', 'TruckRepository.java', 21),
      ],
      [call('com.harborline.users.InviteController', 'accept', 'InviteController.java', 40)],
      (handler) =>
        java([
          {
            type: 'NullPointerException',
            module: 'java.lang',
            value: 'Cannot invoke "java.util.UUID.toString()" because "id" is null',
            mechanism: resolver,
            frames: [
              ...tomcat10,
              call('com.harborline.web.TenantFilter', 'doFilterInternal', 'TenantFilter.java', 33),
              call('org.springframework.web.filter.OncePerRequestFilter', 'doFilter', 'OncePerRequestFilter.java', 116),
              ...handler,
            ],
          },
        ]),
    ),
  ),
  // One method, one row: a column that is missing and a number that overflows.
  different(
    'two exceptions of one row mapper',
    ...both(
      {
        type: 'SQLException',
        module: 'java.sql',
        value: "Column 'draught' not found.",
        lineno: 30,
        last: call('com.mysql.cj.jdbc.result.ResultSetImpl', 'findColumn', 'ResultSetImpl.java', 558),
      },
      {
        type: 'ArithmeticException',
        module: 'java.lang',
        value: 'integer overflow',
        lineno: 34,
        last: call('java.lang.Math', 'multiplyExact', 'Math.java', 1020),
      },
      ({ type, module, value, lineno, last }) =>
        java([
          {
            type,
            module,
            value,
            mechanism: uncaught,
            frames: [
              call(
                'org.springframework.jdbc.core.RowMapperResultSetExtractor',
                'extractData',
                'RowMapperResultSetExtractor.java',
                94,
              ),
              call(`${berth}.VesselRowMapper`, 'mapRow', 'VesselRowMapper.java', lineno),
              last,
            ],
          },
        ]),
    ),
  ),
];
