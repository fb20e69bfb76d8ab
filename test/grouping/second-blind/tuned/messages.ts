import { different, same } from '../../pair.ts';
import { nodeSdk, rubySdk, phpSdk, goSdk, record, text } from '../shapes/messages.ts';

export const messagePairs = [
  // One template of one logger with other parameters.
  same(
    'a template with other parameters',
    record('billing.dunning', 'Reminder %s for account %s bounced: %s', [2, 'acc_8812', 'mailbox unavailable']),
    record('billing.dunning', 'Reminder %s for account %s bounced: %s', [
      1,
      'acc_104',
      'user unknown in virtual alias table',
    ]),
  ),
  // One statement; address, duration and request id vary.
  same(
    'another address, duration and UUID',
    text('node', nodeSdk, 'Request 0b8f4f0e-6f0c-4f4e-9e4d-8c3c9a7b1d52 from 203.0.113.9 took 5204ms, limit is 5000ms'),
    text(
      'node',
      nodeSdk,
      'Request c1d9a3b4-2b67-4a90-b1f2-77e0a96c5f03 from 198.51.100.212 took 12877ms, limit is 5000ms',
    ),
  ),
  // One statement; path, time stamp and size vary.
  same(
    'another path, time stamp and size',
    text(
      'php',
      phpSdk,
      'Upload /var/data/in/2024/11/02/moisture_0017.csv received at 2024-11-02T04:10:55Z is truncated (18233 of 20480 bytes)',
    ),
    text(
      'php',
      phpSdk,
      'Upload /var/data/in/2024/11/19/yield-north-b.csv received at 2024-11-19T23:59:01+02:00 is truncated (0 of 1048576 bytes)',
    ),
  ),
  // One statement; Kubernetes gives every pod a random suffix.
  same(
    'another pod',
    text('go', goSdk, 'pod grain-router-6d5f7c9b8d-x2lqp did not become ready within 2m0s'),
    text('go', goSdk, 'pod grain-router-7f44b6c5d9-8zkvn did not become ready within 1m30s'),
  ),
  // One statement; a list of one id or of many.
  same(
    'a list of another length',
    record('stock.reconcile', 'Stock levels missing for lots [1881, 1882, 1907, 2044]', []),
    record('stock.reconcile', 'Stock levels missing for lots [77]', []),
  ),
  // One query that is slow; the number of placeholders and the time vary.
  same(
    'a slow query with another number of placeholders',
    text('php', phpSdk, 'Slow query (2.31s): SELECT * FROM deliveries WHERE lot_id IN (?, ?, ?) ORDER BY arrived_at'),
    text(
      'php',
      phpSdk,
      'Slow query (11.08s): SELECT * FROM deliveries WHERE lot_id IN (?, ?, ?, ?, ?, ?, ?, ?) ORDER BY arrived_at',
    ),
  ),
  // Two statements of one logger that happen to take the same parameters.
  different(
    'two templates with the same parameters',
    record('billing.dunning', 'Reminder for account %s could not be rendered', ['acc_8812']),
    record('billing.dunning', 'Account %s has no billing address', ['acc_8812']),
  ),
  // One word apart, but it is the verb and not a value.
  different(
    'an upload and a download',
    text('ruby', rubySdk, 'Failed to upload lot_report_2024-11.pdf to bucket granary-reports'),
    text('ruby', rubySdk, 'Failed to download lot_report_2024-11.pdf from bucket granary-reports'),
  ),
  // The template says nothing: the whole text is its parameter, and the texts are two.
  different(
    'a bare %s around two texts',
    record(
      'celery.redirected',
      '%s',
      ['Disk quota exceeded while writing the export'],
      'Disk quota exceeded while writing the export',
    ),
    record(
      'celery.redirected',
      '%s',
      ['Broker heartbeat missed, reconnecting'],
      'Broker heartbeat missed, reconnecting',
    ),
  ),
  // Two background jobs that have nothing in common but the runner's phrase.
  different(
    'two jobs that gave up',
    text('ruby', rubySdk, 'InvoiceExportJob failed permanently after 25 retries'),
    text('ruby', rubySdk, 'MoistureAlertJob failed permanently after 25 retries'),
  ),
];
