import { app, lib, python, celeryMechanism, celery } from '../shapes/python.ts';
import { both } from '../event.ts';
import { same } from '../../pair.ts';

export const pythonPairs = [
  // One unique constraint violated by one insert; only the key's value differs.
  same(
    'unique violation with another key value and pool',
    ...both(
      { email: 'ana@example.org', wrapper: celery },
      {
        email: 'lee.w@example.net',
        wrapper: [
          lib('celery/app/task.py', 'apply', 803, '        ret = tracer(task_id, args, kwargs, request)'),
          ...celery,
        ],
      },
      ({ email, wrapper }) =>
        python([
          {
            type: 'UniqueViolation',
            module: 'psycopg2.errors',
            value: `duplicate key value violates unique constraint "newsletter_subscriber_email_key"\nDETAIL:  Key (email)=(${email}) already exists.\n`,
            frames: [
              lib(
                'django/db/backends/utils.py',
                '_execute',
                89,
                '                return self.cursor.execute(sql, params)',
              ),
            ],
          },
          {
            type: 'IntegrityError',
            module: 'django.db.utils',
            value: `duplicate key value violates unique constraint "newsletter_subscriber_email_key"\nDETAIL:  Key (email)=(${email}) already exists.\n`,
            mechanism: celeryMechanism,
            frames: [
              ...wrapper,
              app('newsletter/tasks.py', 'subscribe', 23, '    Subscriber.objects.create(email=email, source=source)'),
              lib('django/db/models/query.py', 'create', 658, '        obj.save(force_insert=True, using=self.db)'),
              lib(
                'django/db/backends/utils.py',
                '_execute',
                89,
                '                return self.cursor.execute(sql, params)',
              ),
            ],
          },
        ]),
    ),
  ),
  // The same arithmetic fault in one function; the framework reaches it through other wrappers.
  same(
    'FastAPI handler through the thread pool, then awaited directly',
    python([
      {
        type: 'ZeroDivisionError',
        value: 'division by zero',
        mechanism: { type: 'starlette', handled: false },
        frames: [
          lib('starlette/routing.py', 'app', 73, '        response = await f(request)'),
          lib(
            'fastapi/routing.py',
            'run_endpoint_function',
            193,
            '        return await run_in_threadpool(dependant.call, **values)',
          ),
          lib(
            'starlette/concurrency.py',
            'run_in_threadpool',
            42,
            '    return await anyio.to_thread.run_sync(func, *args)',
          ),
          lib('anyio/_backends/_asyncio.py', 'run', 859, '                    result = context.run(func, *args)'),
          app('quotes/api.py', 'get_quote', 40, '    return average_rate(rates)'),
          app('quotes/rates.py', 'average_rate', 12, '    return sum(r.value for r in rates) / len(rates)'),
        ],
      },
    ]),
    python(
      [
        {
          type: 'ZeroDivisionError',
          value: 'division by zero',
          mechanism: { type: 'starlette', handled: false },
          frames: [
            lib(
              'sentry_sdk/integrations/starlette.py',
              '_sentry_patched_asgi_app',
              408,
              '            return await middleware(scope, receive, send)',
              '3.12',
            ),
            lib('starlette/_exception_handler.py', 'wrapped_app', 53, '                raise exc', '3.12'),
            lib(
              'starlette/routing.py',
              'app',
              76,
              '        await wrap_app_handling_exceptions(app, request)(scope, receive, send)',
              '3.12',
            ),
            lib(
              'fastapi/routing.py',
              'run_endpoint_function',
              212,
              '        return await dependant.call(**values)',
              '3.12',
            ),
            app('quotes/api.py', 'get_quote', 43, '    return average_rate(rates)', '/workspace'),
            app(
              'quotes/rates.py',
              'average_rate',
              12,
              '    return sum(r.value for r in rates) / len(rates)',
              '/workspace',
            ),
          ],
        },
      ],
      '2.19.2',
    ),
  ),
  // The same parser chokes on the same kind of broken file, at another position.
  same(
    'JSON decoder at another position',
    ...both(
      { position: 'line 3 column 18 (char 71)', lineno: 64 },
      { position: 'line 912 column 4 (char 40233)', lineno: 66 },
      ({ position, lineno }) =>
        python([
          {
            type: 'JSONDecodeError',
            module: 'json.decoder',
            value: `Expecting ',' delimiter: ${position}`,
            frames: [
              app('feeds/importer.py', 'import_feed', lineno, '    document = json.loads(body)'),
              {
                filename: 'json/decoder.py',
                abs_path: '/usr/local/lib/python3.12/json/decoder.py',
                module: 'json.decoder',
                function: 'raw_decode',
                lineno: 354,
                context_line: '            obj, end = self.scan_once(s, idx)',
                in_app: false,
              },
            ],
          },
        ]),
    ),
  ),
  // The same lookup misses another data value; pandas internals are of another version.
  same(
    'pandas lookup of another label under another pandas version',
    python([
      {
        type: 'KeyError',
        value: "'SKU-4410-B'",
        frames: [
          app('pricing/margins.py', 'margin_for', 33, '    row = self.table.loc[sku]'),
          lib(
            'pandas/core/indexing.py',
            '__getitem__',
            1103,
            '            return self._getitem_axis(maybe_callable, axis=axis)',
          ),
          lib('pandas/core/indexes/base.py', 'get_loc', 3655, '                raise KeyError(key) from err'),
        ],
      },
    ]),
    python([
      {
        type: 'KeyError',
        value: "'SKU-90017'",
        frames: [
          app('pricing/margins.py', 'margin_for', 35, '    row = self.table.loc[sku]'),
          lib(
            'pandas/core/indexing.py',
            '__getitem__',
            1191,
            '            return self._getitem_axis(maybe_callable, axis=axis)',
            '3.12',
          ),
          lib(
            'pandas/core/indexing.py',
            '_getitem_axis',
            1431,
            '        return self._get_label(key, axis=axis)',
            '3.12',
          ),
          lib('pandas/core/indexes/base.py', 'get_loc', 3812, '            raise KeyError(key) from err', '3.12'),
        ],
      },
    ]),
  ),
];
