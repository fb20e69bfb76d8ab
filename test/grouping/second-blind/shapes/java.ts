import type { RawEvent } from '../../pair.ts';
import { type Failure, failing, type Fields, type Frame } from '../event.ts';

export const call = (
  module: string,
  name: string,
  file: string,
  lineno: number,
  inApp = module.startsWith('com.harborline'),
): Frame => ({
  module,
  function: name,
  ...(file === '' ? {} : { filename: file }),
  ...(lineno > 0 ? { lineno } : {}),
  in_app: inApp,
});

export const java = (failures: readonly Failure[], version = '7.18.0', more: Fields = {}): RawEvent =>
  failing('java', ['sentry.java.spring-boot.jakarta', version], failures, more);

export const uncaught = { type: 'UncaughtExceptionHandler', handled: false };

export const resolver = { type: 'Spring6ExceptionResolver', handled: false };

export const tomcat9 = [
  call('java.lang.Thread', 'run', 'Thread.java', 750),
  call('org.apache.tomcat.util.net.NioEndpoint$SocketProcessor', 'doRun', 'NioEndpoint.java', 1598),
  call('org.springframework.web.servlet.DispatcherServlet', 'doDispatch', 'DispatcherServlet.java', 1067),
];

export const tomcat10 = [
  call('java.lang.VirtualThread', 'run', 'VirtualThread.java', 309),
  call('org.apache.tomcat.util.net.NioEndpoint$SocketProcessor', 'doRun', 'NioEndpoint.java', 1741),
  call('jakarta.servlet.http.HttpServlet', 'service', 'HttpServlet.java', 564),
  call('org.springframework.web.servlet.DispatcherServlet', 'doDispatch', 'DispatcherServlet.java', 1089),
];

export const reflection8 = (accessor: string) => [
  call(`sun.reflect.${accessor}`, 'invoke', '', 0),
  call('sun.reflect.DelegatingMethodAccessorImpl', 'invoke', 'DelegatingMethodAccessorImpl.java', 43),
  call('java.lang.reflect.Method', 'invoke', 'Method.java', 498),
];

export const reflection21 = [
  call('jdk.internal.reflect.DirectMethodHandleAccessor', 'invoke', 'DirectMethodHandleAccessor.java', 103),
  call('java.lang.reflect.Method', 'invoke', 'Method.java', 580),
];

export const berth = 'com.harborline.berth';

export const constraintChain = (key: string, dialect: string, lineno: number): readonly Failure[] => {
  const detail = `ERROR: duplicate key value violates unique constraint "vessel_imo_uk"\n  Detail: Key (imo)=(${key}) already exists.`;
  return [
    {
      type: 'PSQLException',
      module: 'org.postgresql.util',
      value: detail,
      frames: [
        call('org.postgresql.core.v3.QueryExecutorImpl', 'receiveErrorResponse', 'QueryExecutorImpl.java', 2733),
      ],
    },
    {
      type: 'ConstraintViolationException',
      module: 'org.hibernate.exception',
      value: `could not execute statement [${detail}] [insert into vessel (flag,imo,name,id) values (?,?,?,?)]`,
      frames: [call(dialect, 'convert', 'SQLStateConversionDelegate.java', 97)],
    },
    {
      type: 'DataIntegrityViolationException',
      module: 'org.springframework.dao',
      value: `could not execute statement [${detail}] [insert into vessel (flag,imo,name,id) values (?,?,?,?)]; SQL [insert into vessel (flag,imo,name,id) values (?,?,?,?)]; constraint [vessel_imo_uk]`,
      mechanism: resolver,
      frames: [
        ...tomcat10,
        call(`${berth}.VesselController`, 'register', 'VesselController.java', 44),
        call(`${berth}.VesselService`, 'register', 'VesselService.java', lineno),
        call(
          'org.springframework.data.jpa.repository.support.SimpleJpaRepository',
          'save',
          'SimpleJpaRepository.java',
          626,
        ),
        call(
          'org.springframework.orm.jpa.vendor.HibernateJpaDialect',
          'convertHibernateAccessException',
          'HibernateJpaDialect.java',
          290,
        ),
      ],
    },
  ];
};
