import { app, lib, python, celeryMechanism, celery } from '../shapes/python.ts';
import { both } from '../event.ts';
import { different } from '../../pair.ts';

export const laterPythonPairs = [
  // The serializer library is only the messenger: two serializers have two broken sources.
  different(
    'one library frame, reached from two serializers',
    python([
      {
        type: 'AttributeError',
        value: "'NoneType' object has no attribute 'id'",
        frames: [
          app('invoices/api.py', 'retrieve', 37, '        return Response(InvoiceSerializer(invoice).data)'),
          lib(
            'rest_framework/serializers.py',
            'to_representation',
            522,
            '                attribute = field.get_attribute(instance)',
          ),
          lib(
            'rest_framework/fields.py',
            'get_attribute',
            446,
            '            return get_attribute(instance, self.source_attrs)',
          ),
        ],
      },
    ]),
    python([
      {
        type: 'AttributeError',
        value: "'NoneType' object has no attribute 'id'",
        frames: [
          app('tickets/api.py', 'list_open', 83, '        return Response(TicketSerializer(tickets, many=True).data)'),
          lib(
            'rest_framework/serializers.py',
            'to_representation',
            522,
            '                attribute = field.get_attribute(instance)',
          ),
          lib(
            'rest_framework/fields.py',
            'get_attribute',
            446,
            '            return get_attribute(instance, self.source_attrs)',
          ),
        ],
      },
    ]),
  ),
  // The wrapper says nothing; Redis being away is not a broken payload.
  different(
    'one wrapper around two causes',
    python([
      {
        type: 'ConnectionError',
        module: 'redis.exceptions',
        value: 'Error 111 connecting to redis:6379. Connection refused.',
        frames: [
          app('inventory/sync.py', 'run', 30, '            self.lock.acquire()'),
          lib('redis/connection.py', 'connect', 284, '            raise ConnectionError(self._error_message(e))'),
        ],
      },
      {
        type: 'SyncFailed',
        module: 'inventory.errors',
        value: 'could not sync inventory',
        mechanism: celeryMechanism,
        frames: [
          ...celery,
          app('inventory/tasks.py', 'sync_inventory', 18, '    Sync(warehouse).run()'),
          app('inventory/sync.py', 'run', 36, '            raise SyncFailed("could not sync inventory") from error'),
        ],
      },
    ]),
    python([
      {
        type: 'UnicodeDecodeError',
        value: "'utf-8' codec can't decode byte 0xe4 in position 210: invalid continuation byte",
        frames: [
          app('inventory/sync.py', 'run', 33, '            rows = self.read_stock_file()'),
          app('inventory/sync.py', 'read_stock_file', 51, '        return list(csv.reader(handle))'),
        ],
      },
      {
        type: 'SyncFailed',
        module: 'inventory.errors',
        value: 'could not sync inventory',
        mechanism: celeryMechanism,
        frames: [
          ...celery,
          app('inventory/tasks.py', 'sync_inventory', 18, '    Sync(warehouse).run()'),
          app('inventory/sync.py', 'run', 36, '            raise SyncFailed("could not sync inventory") from error'),
        ],
      },
    ]),
  ),
  // A deadlock is a fault of our transactions, a dropped SSL connection one of the network.
  different(
    'one query, a deadlock and a dropped connection',
    ...both(
      {
        type: 'DeadlockDetected',
        module: 'psycopg2.errors',
        value:
          'deadlock detected\nDETAIL:  Process 4411 waits for ShareLock on transaction 90211; blocked by process 4418.\n',
      },
      { type: 'OperationalError', module: 'psycopg2', value: 'SSL connection has been closed unexpectedly\n' },
      ({ type, module, value }) =>
        python([
          {
            type,
            module,
            value,
            frames: [
              lib('sqlalchemy/engine/default.py', 'do_execute', 924, '        cursor.execute(statement, parameters)'),
            ],
          },
          {
            type: 'OperationalError',
            module: 'sqlalchemy.exc',
            value: `(${module}.${type}) ${value}[SQL: UPDATE stock SET reserved=%(reserved)s WHERE stock.id = %(stock_id)s]`,
            frames: [
              app('stock/reserve.py', 'reserve', 48, '    session.flush()'),
              lib('sqlalchemy/orm/session.py', 'flush', 4312, '            self._flush(objects)'),
              lib('sqlalchemy/engine/default.py', 'do_execute', 924, '        cursor.execute(statement, parameters)'),
            ],
          },
        ]),
    ),
  ),
];
