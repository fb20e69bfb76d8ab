import { different, same } from '../pair.ts';
import { python } from '../shapes/python.ts';

const view = `
  /srv/app/shop/models.py:40 in total | return sum(i.price for i in self.items)
  /srv/app/shop/views.py:12 in index | return render(cart.total())
  /srv/venv/lib/python3.11/site-packages/django/core/handlers/base.py:197 in _get_response | response = wrapped_callback(request)`;
const missing = { type: 'KeyError', value: "'price-17'", module: 'builtins', stack: view };

export const pythonPairs = [
  same(
    'another virtual environment and Python',
    python(missing),
    python({
      ...missing,
      value: "'price-99'",
      stack: `
        /opt/app/shop/models.py:44 in total | return sum(i.price for i in self.items)
        /opt/app/shop/views.py:12 in index | return render(cart.total())
        /home/web/.virtualenvs/shop-3Fk2/lib/python3.12/site-packages/django/core/handlers/base.py:197 in _get_response | response = wrapped_callback(request)`,
    }),
  ),
  same(
    'a wrapper of the SDK around the view',
    python(missing),
    python({
      ...missing,
      stack: `${view}
        /srv/venv/lib/python3.11/site-packages/sentry_sdk/integrations/django/views.py:89 in sentry_wrapped_callback | return callback(request)`,
    }),
  ),
  same(
    'module missing (old SDK) and null',
    python({ type: 'ValueError', value: 'bad 1', stack: '/srv/app/job.py:3 in run | go()' }),
    python({ type: 'ValueError', value: 'bad 22', module: 'builtins', stack: '/srv/app/job.py:3 in run | go()' }),
  ),
  same(
    'recursion of another depth',
    python({
      type: 'RecursionError',
      value: 'maximum recursion depth exceeded in comparison',
      stack: `${'/srv/app/tree.py:7 in walk | return walk(n.left)\n'.repeat(50)}/srv/app/main.py:3 in main | walk(root)`,
    }),
    python({
      type: 'RecursionError',
      value: 'maximum recursion depth exceeded in comparison',
      stack: `${'/srv/app/tree.py:7 in walk | return walk(n.left)\n'.repeat(97)}/srv/app/main.py:3 in main | walk(root)`,
    }),
  ),
  same(
    'an object address in the text, no stack',
    python({ type: 'TypeError', value: 'Object <shop.models.Cart object at 0x7f21c03b9d30> is not JSON serializable' }),
    python({ type: 'TypeError', value: 'Object <shop.models.Cart object at 0x7fe9aa120c10> is not JSON serializable' }),
  ),
  same(
    'lambdas and comprehensions of Python 3.11 and 3.12',
    python({
      type: 'ZeroDivisionError',
      value: 'division by zero',
      stack: `
        /srv/app/shop/rates.py:9 in <listcomp> | return [1 / r for r in rates]
        /srv/app/shop/rates.py:9 in inverse | return [1 / r for r in rates]`,
    }),
    python({
      type: 'ZeroDivisionError',
      value: 'division by zero',
      stack: '/srv/app/shop/rates.py:9 in inverse | return [1 / r for r in rates]',
    }),
  ),
  same(
    'a chain with and without numbers of the exceptions',
    python([
      { type: 'KeyError', value: "'a-1'", stack: '/srv/app/a.py:3 in get | return d[k]' },
      {
        type: 'ConfigError',
        value: 'no setting',
        module: 'app.errors',
        stack: '/srv/app/a.py:9 in load | raise ConfigError from e',
      },
    ]),
    python([
      {
        type: 'KeyError',
        value: "'b-2'",
        stack: '/srv/app/a.py:3 in get | return d[k]',
        mechanism: { type: 'chained', handled: true, exception_id: 1, parent_id: 0, source: '__cause__' },
      },
      {
        type: 'ConfigError',
        value: 'no setting',
        module: 'app.errors',
        stack: '/srv/app/a.py:9 in load | raise ConfigError from e',
        mechanism: { type: 'generic', handled: true, exception_id: 0 },
      },
    ]),
  ),
  different(
    'one view fails on two lines',
    python({
      type: 'AttributeError',
      value: "'NoneType' object has no attribute 'id'",
      stack: '/srv/app/shop/views.py:12 in index | user_id = request.user.id',
    }),
    python({
      type: 'AttributeError',
      value: "'NoneType' object has no attribute 'name'",
      stack: '/srv/app/shop/views.py:31 in index | title = request.shop.name',
    }),
  ),
  different(
    'one function name in two modules',
    python({ ...missing, stack: '/srv/app/shop/tasks.py:12 in run | work()' }),
    python({ ...missing, stack: '/srv/app/mail/tasks.py:12 in run | work()' }),
  ),
  different(
    'one class name in two modules, one place',
    python({ type: 'TimeoutError', module: 'asyncio.exceptions', value: '', stack: view }),
    python({ type: 'OperationalError', module: 'django.db.utils', value: '', stack: view }),
  ),
];
