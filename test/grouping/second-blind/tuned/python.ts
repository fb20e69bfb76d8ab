import {
  app,
  lib,
  python,
  djangoMechanism,
  celeryMechanism,
  django4,
  celery,
  recursion,
  timeoutChain,
} from '../shapes/python.ts';
import { both } from '../event.ts';
import { different, same } from '../../pair.ts';

export const pythonPairs = [
  // Same missing key read in the same view; only the deploy, line and Django version moved.
  same(
    'view after a deploy: other release directory, line and Django version',
    python(
      [
        {
          type: 'KeyError',
          value: "'billing_country'",
          mechanism: djangoMechanism,
          frames: [
            ...django4,
            app(
              'checkout/views.py',
              'review',
              114,
              "    country = request.session['billing_country']",
              '/srv/shop/releases/20241102101500',
            ),
          ],
        },
      ],
      '1.45.1',
      { release: 'shop@5.11.0', server_name: 'web-2', transaction: '/checkout/review/' },
    ),
    python(
      [
        {
          type: 'KeyError',
          value: "'billing_country'",
          mechanism: djangoMechanism,
          frames: [
            lib('asgiref/sync.py', '__call__', 254, '            return call_result.result()', '3.12'),
            lib(
              'django/core/handlers/exception.py',
              'inner',
              42,
              '            response = await get_response(request)',
              '3.12',
            ),
            lib(
              'django/core/handlers/base.py',
              '_get_response_async',
              253,
              '                response = await wrapped_callback(',
              '3.12',
            ),
            app(
              'checkout/views.py',
              'review',
              131,
              "    country = request.session['billing_country']",
              '/srv/shop/releases/20241119083012',
            ),
          ],
        },
      ],
      '2.18.0',
      { release: 'shop@5.14.2', server_name: 'web-9', transaction: '/checkout/review/' },
    ),
  ),
  // The same endless mutual recursion; the SDK kept another number of rounds.
  same(
    'mutual recursion cut off at another depth',
    python([
      {
        type: 'RecursionError',
        value: 'maximum recursion depth exceeded while calling a Python object',
        frames: recursion(6),
      },
    ]),
    python([
      {
        type: 'RecursionError',
        value: 'maximum recursion depth exceeded while calling a Python object',
        frames: recursion(15),
      },
    ]),
  ),
  // One call to one carrier times out; only object address and parcel number differ.
  same(
    'connect timeout with another object address and parcel',
    python(timeoutChain('0x7f1c6a2e7d90', 'api.parcelhub.eu', 889120)),
    python(timeoutChain('0x7fe0b41c3110', 'api.parcelhub.eu', 903377), '2.17.0', {
      server_name: 'worker-5d9f7c-x2k8p',
    }),
  ),
  // Python 3.12 inlines comprehensions, so the <listcomp> frame vanished; the code is the same.
  same(
    'list comprehension frame gone after the upgrade to Python 3.12',
    python([
      {
        type: 'AttributeError',
        value: "'NoneType' object has no attribute 'isoformat'",
        mechanism: { type: 'flask', handled: false },
        frames: [
          lib(
            'flask/app.py',
            'dispatch_request',
            1799,
            '        return self.ensure_sync(self.view_functions[rule.endpoint])(**view_args)',
          ),
          app('reports/export.py', 'export_members', 77, '    rows = [member_row(m) for m in members]'),
          app('reports/export.py', '<listcomp>', 77, '    rows = [member_row(m) for m in members]'),
          app('reports/export.py', 'member_row', 58, '    return [m.name, m.joined_at.isoformat(), m.plan]'),
        ],
      },
    ]),
    python([
      {
        type: 'AttributeError',
        value: "'NoneType' object has no attribute 'isoformat'",
        mechanism: { type: 'flask', handled: false },
        frames: [
          lib(
            'flask/app.py',
            'dispatch_request',
            902,
            '        return self.ensure_sync(self.view_functions[rule.endpoint])(**view_args)',
            '3.12',
          ),
          app('reports/export.py', 'export_members', 77, '    rows = [member_row(m) for m in members]'),
          app('reports/export.py', 'member_row', 58, '    return [m.name, m.joined_at.isoformat(), m.plan]'),
        ],
      },
    ]),
  ),
  // Two parsers of two fields; only the builtin's message is shared.
  different(
    'int() of an empty string in two parsers',
    python([
      {
        type: 'ValueError',
        value: "invalid literal for int() with base 10: ''",
        mechanism: djangoMechanism,
        frames: [
          ...django4,
          app('cart/views.py', 'update_line', 61, '    quantity = parse_quantity(request.POST)'),
          app('cart/forms.py', 'parse_quantity', 14, '    return int(data.get("quantity", ""))'),
        ],
      },
    ]),
    python([
      {
        type: 'ValueError',
        value: "invalid literal for int() with base 10: ''",
        mechanism: djangoMechanism,
        frames: [
          ...django4,
          app('profile/views.py', 'save_address', 90, '    zip_code = parse_zip(request.POST)'),
          app('profile/forms.py', 'parse_zip', 41, '    return int(data["zip"].strip())'),
        ],
      },
    ]),
  ),
  // One function, but a missing key is not an addition of text and number.
  different(
    'two exception types in one function',
    python([
      {
        type: 'KeyError',
        value: "'discount'",
        frames: [
          app('orders/totals.py', 'recalculate', 44, '    line_total(line)'),
          app('orders/totals.py', 'line_total', 20, '    reduced = line["discount"]'),
        ],
      },
    ]),
    python([
      {
        type: 'TypeError',
        value: "unsupported operand type(s) for +: 'int' and 'str'",
        frames: [
          app('orders/totals.py', 'recalculate', 44, '    line_total(line)'),
          app('orders/totals.py', 'line_total', 24, '    return price + line["surcharge"]'),
        ],
      },
    ]),
  ),
  // Two tasks under one in-house base class; each forgot another deleted customer.
  different(
    'one base task of the app, two tasks',
    ...both(
      app('crm/tasks.py', 'send_birthday_mail', 29, '    customer = Customer.objects.get(pk=customer_id)'),
      app('loyalty/tasks.py', 'expire_points', 66, '    owner = Customer.objects.get(pk=account.customer_id)'),
      (caller) =>
        python([
          {
            type: 'DoesNotExist',
            module: 'crm.models',
            value: 'Customer matching query does not exist.',
            mechanism: celeryMechanism,
            frames: [
              ...celery,
              app('common/task.py', '__call__', 22, '            return super().__call__(*args, **kwargs)'),
              caller,
              lib(
                'django/db/models/manager.py',
                'manager_method',
                87,
                '                return getattr(self.get_queryset(), name)(*args, **kwargs)',
              ),
              lib('django/db/models/query.py', 'get', 637, '            raise self.model.DoesNotExist('),
            ],
          },
        ]),
    ),
  ),
];
