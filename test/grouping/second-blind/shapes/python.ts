import type { RawEvent } from '../../pair.ts';
import { type Failure, failing, type Fields, type Frame } from '../event.ts';

export const moduleOf = (path: string) => path.replace(/(\/__init__)?\.pyx?$/, '').replaceAll('/', '.');

export const app = (path: string, name: string, lineno: number, line: string, root = '/app'): Frame => ({
  filename: path,
  abs_path: `${root}/${path}`,
  module: moduleOf(path),
  function: name,
  lineno,
  context_line: line,
  in_app: true,
});

export const lib = (path: string, name: string, lineno: number, line: string, python = '3.11'): Frame => ({
  filename: path,
  abs_path: `/usr/local/lib/python${python}/site-packages/${path}`,
  module: moduleOf(path),
  function: name,
  lineno,
  context_line: line,
  in_app: false,
});

export const python = (failures: readonly Failure[], version = '2.14.0', more: Fields = {}): RawEvent =>
  failing('python', ['sentry.python', version], failures, more);

export const djangoMechanism = { type: 'django', handled: false };

export const celeryMechanism = { type: 'celery', handled: false };

export const django4 = [
  lib('django/core/handlers/exception.py', 'inner', 55, '            response = get_response(request)'),
  lib(
    'django/core/handlers/base.py',
    '_get_response',
    197,
    '                response = wrapped_callback(request, *callback_args, **callback_kwargs)',
  ),
];

export const celery = [
  lib('celery/app/trace.py', 'trace_task', 477, '                    R = retval = fun(*args, **kwargs)'),
  lib('celery/app/trace.py', '__protected_call__', 760, '            return self.run(*args, **kwargs)'),
];

export const recursion = (depth: number): readonly Frame[] => [
  app('catalog/tree.py', 'build_menu', 19, '    return {"nodes": expand(root)}'),
  ...Array.from({ length: depth }, () => [
    app('catalog/tree.py', 'expand', 31, '    return [serialize(child) for child in node.children]'),
    app('catalog/tree.py', 'serialize', 38, '    return {"id": node.id, "children": expand(node)}'),
  ]).flat(),
];

export const timeoutChain = (address: string, host: string, orderId: number): readonly Failure[] => {
  const text = `<urllib3.connection.HTTPSConnection object at ${address}>`;
  const url = `/v3/parcels/${orderId}`;
  return [
    { type: 'TimeoutError', module: '', value: 'timed out' },
    {
      type: 'ConnectTimeoutError',
      module: 'urllib3.exceptions',
      value: `(${text}, 'Connection to ${host} timed out. (connect timeout=5)')`,
    },
    {
      type: 'ConnectTimeout',
      module: 'requests.exceptions',
      value: `HTTPSConnectionPool(host='${host}', port=443): Max retries exceeded with url: ${url} (Caused by ConnectTimeoutError(${text}, 'Connection to ${host} timed out. (connect timeout=5)'))`,
      mechanism: celeryMechanism,
      frames: [
        ...celery,
        app('shipping/tasks.py', 'refresh_parcel', 52, '    state = client.parcel(parcel_id)'),
        app('shipping/client.py', 'parcel', 27, '        response = self.session.get(self.url(parcel_id), timeout=5)'),
        lib('requests/sessions.py', 'get', 602, '        return self.request("GET", url, **kwargs)'),
        lib('requests/adapters.py', 'send', 688, '                raise ConnectTimeout(e, request=request)'),
      ],
    },
  ];
};
