import { both } from '../event.ts';
import { call, java, uncaught, resolver, tomcat9, tomcat10, reflection8, reflection21, berth } from '../shapes/java.ts';
import { different, same } from '../../pair.ts';

export const javaPairs = [
  // Spring 6 names its proxies otherwise and the compiler renumbered the lambda; one service.
  same(
    'CGLIB proxy and lambda with other suffixes',
    java(
      [
        {
          type: 'IllegalStateException',
          module: 'java.lang',
          value: 'Tide table is not loaded',
          mechanism: { type: 'HandlerExceptionResolver', handled: false },
          frames: [
            ...tomcat9,
            call(`${berth}.PlanController`, 'plan', 'PlanController.java', 52),
            call(`${berth}.PlanService$$EnhancerBySpringCGLIB$$3fa1b2c`, 'plan', '<generated>', 0),
            call('org.springframework.cglib.proxy.MethodProxy', 'invoke', 'MethodProxy.java', 218),
            call(`${berth}.PlanService$$FastClassBySpringCGLIB$$90be11d7`, 'invoke', '<generated>', 0),
            call(`${berth}.PlanService`, 'plan', 'PlanService.java', 71),
            call('java.util.ArrayList', 'forEach', 'ArrayList.java', 1259),
            call(`${berth}.PlanService`, 'lambda$plan$3', 'PlanService.java', 73),
            call(`${berth}.TideTable`, 'depthAt', 'TideTable.java', 30),
          ],
        },
      ],
      '6.28.0',
    ),
    java(
      [
        {
          type: 'IllegalStateException',
          module: 'java.lang',
          value: 'Tide table is not loaded',
          mechanism: resolver,
          frames: [
            ...tomcat10,
            call(`${berth}.PlanController`, 'plan', 'PlanController.java', 55),
            call(`${berth}.PlanService$$SpringCGLIB$$0`, 'plan', '<generated>', 0),
            call(
              'org.springframework.aop.framework.CglibAopProxy$DynamicAdvisedInterceptor',
              'intercept',
              'CglibAopProxy.java',
              720,
            ),
            call(`${berth}.PlanService`, 'plan', 'PlanService.java', 80),
            call('java.util.ArrayList', 'forEach', 'ArrayList.java', 1596),
            call(`${berth}.PlanService`, 'lambda$plan$5', 'PlanService.java', 82),
            call(`${berth}.TideTable`, 'depthAt', 'TideTable.java', 30),
          ],
        },
      ],
      '7.18.0',
    ),
  ),
  // A scheduled method invoked by reflection: a generated accessor, then Java 21's handle.
  same(
    'reflection frames of Java 8 and of Java 21',
    java([
      {
        type: 'DateTimeParseException',
        module: 'java.time.format',
        value: "Text '2024-13-02' could not be parsed: Invalid value for MonthOfYear (valid values 1 - 12): 13",
        mechanism: uncaught,
        frames: [
          ...reflection8('GeneratedMethodAccessor312'),
          call(
            'org.springframework.scheduling.support.ScheduledMethodRunnable',
            'run',
            'ScheduledMethodRunnable.java',
            84,
          ),
          call('com.harborline.customs.ManifestImport', 'importAll', 'ManifestImport.java', 48),
          call('com.harborline.customs.ManifestLine', 'parse', 'ManifestLine.java', 33),
          call('java.time.LocalDate', 'parse', 'LocalDate.java', 400),
          call('java.time.format.DateTimeFormatter', 'parse', 'DateTimeFormatter.java', 1851),
        ],
      },
    ]),
    java([
      {
        type: 'DateTimeParseException',
        module: 'java.time.format',
        value: "Text '2024-00-17' could not be parsed: Invalid value for MonthOfYear (valid values 1 - 12): 0",
        mechanism: uncaught,
        frames: [
          ...reflection21,
          call(
            'org.springframework.scheduling.support.ScheduledMethodRunnable',
            'runInternal',
            'ScheduledMethodRunnable.java',
            130,
          ),
          call('io.micrometer.observation.Observation', 'observe', 'Observation.java', 499),
          call('com.harborline.customs.ManifestImport', 'importAll', 'ManifestImport.java', 48),
          call('com.harborline.customs.ManifestLine', 'parse', 'ManifestLine.java', 35),
          call('java.time.LocalDate', 'parse', 'LocalDate.java', 435),
          call('java.time.format.DateTimeFormatter', 'parse', 'DateTimeFormatter.java', 2108),
        ],
      },
    ]),
  ),
  // The same pair of entities prints each other without an end.
  same(
    'stack overflow cut off at another depth',
    ...both(40, 64, (depth) =>
      java([
        {
          type: 'StackOverflowError',
          module: 'java.lang',
          value: null,
          mechanism: uncaught,
          frames: Array.from({ length: depth }, () => [
            call(`${berth}.Berth`, 'toString', 'Berth.java', 88),
            call('java.lang.String', 'valueOf', 'String.java', 2994),
            call('java.lang.StringBuilder', 'append', 'StringBuilder.java', 131),
            call(`${berth}.Mooring`, 'toString', 'Mooring.java', 54),
          ]).flat(),
        },
      ]),
    ),
  ),
  // One stream over one list; the pipeline classes of the JDK changed between versions.
  same(
    'list modified while streamed, under JDK 11 and 21',
    ...both(
      [
        call('java.util.stream.ReferencePipeline', 'collect', 'ReferencePipeline.java', 578),
        call('java.util.ArrayList$ArrayListSpliterator', 'forEachRemaining', 'ArrayList.java', 1660),
      ],
      [
        call('java.util.stream.ReferencePipeline', 'toList', 'ReferencePipeline.java', 622),
        call('java.util.stream.AbstractPipeline', 'wrapAndCopyInto', 'AbstractPipeline.java', 556),
        call('java.util.ArrayList$ArrayListSpliterator', 'forEachRemaining', 'ArrayList.java', 1716),
      ],
      (jdk) =>
        java([
          {
            type: 'ConcurrentModificationException',
            module: 'java.util',
            value: null,
            mechanism: uncaught,
            frames: [
              call('com.harborline.pilot.Roster', 'refresh', 'Roster.java', 61),
              call('com.harborline.pilot.Roster', 'onDuty', 'Roster.java', 84),
              ...jdk,
            ],
          },
        ]),
    ),
  ),
  // The collector complains for two maps that two services build.
  different(
    'duplicate key of two collectors',
    ...both(
      { caller: call('com.harborline.pilot.RosterService', 'byBadge', 'RosterService.java', 58), key: 'P-118' },
      { caller: call('com.harborline.fees.TariffCache', 'reload', 'TariffCache.java', 36), key: 'BULK' },
      ({ caller, key }) =>
        java([
          {
            type: 'IllegalStateException',
            module: 'java.lang',
            value: `Duplicate key ${key} (attempted merging values [1] and [2])`,
            mechanism: uncaught,
            frames: [
              caller,
              call('java.util.stream.ReferencePipeline', 'collect', 'ReferencePipeline.java', 682),
              call('java.util.stream.Collectors', 'lambda$uniqKeysMapAccumulator$1', 'Collectors.java', 180),
              call('java.util.stream.Collectors', 'duplicateKeyException', 'Collectors.java', 135),
            ],
          },
        ]),
    ),
  ),
  // One wrapper of one gateway; a slow customs office is not an answer that cannot be parsed.
  different(
    'one service exception around two causes',
    ...both(
      {
        type: 'SocketTimeoutException',
        module: 'java.net',
        value: 'Read timed out',
        frames: [
          call('com.harborline.customs.CustomsGateway', 'declare', 'CustomsGateway.java', 66),
          call('sun.nio.ch.NioSocketImpl', 'timedRead', 'NioSocketImpl.java', 288),
        ],
      },
      {
        type: 'JsonParseException',
        module: 'com.fasterxml.jackson.core',
        value:
          "Unexpected character ('<' (code 60)): expected a valid value (JSON String, Number, Array, Object or token 'null', 'true' or 'false')",
        frames: [
          call('com.harborline.customs.CustomsGateway', 'declare', 'CustomsGateway.java', 70),
          call(
            'com.fasterxml.jackson.core.json.ReaderBasedJsonParser',
            '_handleOddValue',
            'ReaderBasedJsonParser.java',
            2051,
          ),
        ],
      },
      (cause) =>
        java([
          cause,
          {
            type: 'CustomsException',
            module: 'com.harborline.customs',
            value: 'Declaration could not be sent',
            mechanism: resolver,
            frames: [
              ...tomcat10,
              call('com.harborline.customs.DeclarationController', 'send', 'DeclarationController.java', 38),
              call('com.harborline.customs.CustomsGateway', 'declare', 'CustomsGateway.java', 75),
            ],
          },
        ]),
    ),
  ),
  // Two enums and two parsers; `Enum.valueOf` is only where it surfaces.
  different(
    'no enum constant of two enums',
    ...both(
      {
        name: 'com.harborline.gate.LaneState.CLOSNG',
        caller: call('com.harborline.gate.LaneMapper', 'map', 'LaneMapper.java', 27),
      },
      {
        name: 'com.harborline.pay.Currency.XBT',
        caller: call('com.harborline.pay.LedgerImport', 'readRow', 'LedgerImport.java', 82),
      },
      ({ name, caller }) =>
        java([
          {
            type: 'IllegalArgumentException',
            module: 'java.lang',
            value: `No enum constant ${name}`,
            mechanism: uncaught,
            frames: [caller, call('java.lang.Enum', 'valueOf', 'Enum.java', 293)],
          },
        ]),
    ),
  ),
];
