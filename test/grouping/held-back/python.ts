import { different, same } from '../pair.ts';
import { python } from '../shapes/python.ts';

const task = `
  /srv/app/billing/charge.py:51 in charge | gateway.capture(order)
  /srv/app/billing/tasks.py:14 in charge_order | charge(order)
  /usr/lib/python3/dist-packages/celery/app/trace.py:477 in trace_task | R = retval = fun(*args, **kwargs)`;

export const pythonPairs = [
  same(
    'celery wrapped by another SDK version',
    python({
      type: 'CardError',
      module: 'stripe.error',
      value: 'Your card was declined: req_8Hn2kLq0Zy',
      stack: `${task}
        /usr/lib/python3/dist-packages/sentry_sdk/integrations/celery.py:197 in _inner | reraise(*exc_info)`,
    }),
    python({
      type: 'CardError',
      module: 'stripe.error',
      value: 'Your card was declined: req_Zt71mmQp4A',
      stack: `${task.replace(':51', ':55').replaceAll('/usr/lib/python3/dist-packages', '/srv/env/lib/python3.12/site-packages')}
        /srv/env/lib/python3.12/site-packages/sentry_sdk/integrations/celery/__init__.py:410 in _inner | reraise(*exc_info)
        /srv/env/lib/python3.12/site-packages/sentry_sdk/utils.py:1811 in runner | return sentry_patched_function(*args, **kwargs)`,
    }),
  ),
  same(
    'no stack: psycopg tells another row',
    python({
      type: 'IntegrityError',
      module: 'psycopg2.errors',
      value: 'duplicate key value violates unique constraint "users_pkey"\nDETAIL:  Key (id)=(8812) already exists.',
    }),
    python({
      type: 'IntegrityError',
      module: 'psycopg2.errors',
      value: 'duplicate key value violates unique constraint "users_pkey"\nDETAIL:  Key (id)=(42) already exists.',
    }),
  ),
  same(
    'async frames through another event loop',
    python({
      type: 'ClientError',
      module: 'aiohttp.client_exceptions',
      value: 'closed',
      stack: `
        /srv/app/feed.py:20 in fetch | async with session.get(url) as r:
        /srv/app/feed.py:31 in poll | await fetch(url)
        /usr/lib/python3.11/asyncio/runners.py:118 in run | return self._loop.run_until_complete(task)`,
    }),
    python({
      type: 'ClientError',
      module: 'aiohttp.client_exceptions',
      value: 'closed',
      stack: `
        /srv/app/feed.py:20 in fetch | async with session.get(url) as r:
        /srv/app/feed.py:33 in poll | await fetch(url)
        /srv/venv/lib/python3.11/site-packages/uvloop/__init__.py:61 in wrapper | return await main`,
    }),
  ),
  different(
    'one exception from two callers in the app',
    python({ type: 'ValueError', value: 'bad amount', stack: task }),
    python({
      type: 'ValueError',
      value: 'bad amount',
      stack: task.replace('billing/tasks.py:14 in charge_order', 'billing/retry.py:8 in retry_all'),
    }),
  ),
  different(
    'no stack: two texts of one type',
    python({ type: 'RuntimeError', value: 'Event loop is closed' }),
    python({ type: 'RuntimeError', value: 'cannot schedule new futures after shutdown' }),
  ),
];
