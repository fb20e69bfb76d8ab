import { different, same } from '../pair.ts';
import { logged, message } from '../shapes/message.ts';

export const messagePairs = [
  same(
    'a template beside itself with objects as parameters',
    logged('cannot charge %(order)s', [{ order: 17 }], 'cannot charge 17'),
    logged('cannot charge %(order)s', [{ order: 'A-9' }], 'cannot charge A-9'),
  ),
  same(
    'id, time and address at once',
    message('[2026-03-01T12:00:00.123Z] req 01HQ3K4B5C6D7E8F9G0H1J2K3M from 203.0.113.9 took 12ms'),
    message('[2026-05-12T23:10:01.000Z] req 01HW9Z8Y7X6W5V4T3S2R1Q0P9N from 198.51.100.77 took 9042ms'),
  ),
  same(
    'paths of files',
    message('Cannot write /var/lib/shop/exports/2026/report_17.csv: disk quota exceeded'),
    message('Cannot write /srv/data/exports/2025/report_4.csv: disk quota exceeded'),
  ),
  same(
    'a trace id and a status',
    message('upstream failed trace_id=4bf92f3577b34da6a3ce929d0e0e4736 span=00f067aa0ba902b7'),
    message('upstream failed trace_id=0af7651916cd43dd8448eb211c80319c span=b7ad6b7169203331'),
  ),
  same('a MAC address', message('Device 00:1b:44:11:3a:b7 offline'), message('Device f0:de:f1:bc:00:9e offline')),
  same('a list of numbers', message('Missing ids [1, 2, 3]'), message('Missing ids [17, 28, 391]')),
  different('two hosts are two texts where words differ', message('mail queue stuck'), message('print queue stuck')),
  different(
    'fingerprints that share one member',
    message('a', { fingerprint: ['db', 'timeout'] }),
    message('a', { fingerprint: ['db', 'refused'] }),
  ),
  different('one word more', message('payment refused'), message('payment refused twice')),
  different(
    'a template and its twin of another system',
    logged('job %s failed', [1], 'job 1 failed'),
    logged('task %s failed', [1], 'task 1 failed'),
  ),
];
