import { different, same } from '../../pair.ts';
import { logged } from '../event.ts';
import { nodeSdk, javaSdk, rubySdk, goSdk, record, text } from '../shapes/messages.ts';

export const messagePairs = [
  // One logback statement; the words that were filled in are data.
  same(
    'a logback template with other words in it',
    logged('java', javaSdk, {
      logger: 'io.granary.silo.SensorPoller',
      logentry: {
        message: 'Sensor {} in silo {} reports {}',
        params: ['T-4', 'north', 'OPEN_CIRCUIT'],
        formatted: 'Sensor T-4 in silo north reports OPEN_CIRCUIT',
      },
    }),
    logged('java', javaSdk, {
      logger: 'io.granary.silo.SensorPoller',
      logentry: {
        message: 'Sensor {} in silo {} reports {}',
        params: ['H-11', 'riverside', 'OUT_OF_RANGE'],
        formatted: 'Sensor H-11 in silo riverside reports OUT_OF_RANGE',
      },
    }),
  ),
  // One statement; the e-mail address and the quoted plan vary.
  same(
    'another e-mail address and quoted value',
    text('ruby', rubySdk, "Could not move ann.b@farmpost.org to plan 'Harvest Plus': seat limit reached"),
    text('ruby', rubySdk, "Could not move o'neill+co@silo-9.example to plan 'Basic': seat limit reached"),
  ),
  // One statement; the commit and the digest vary.
  same(
    'another commit and digest',
    text(
      'go',
      goSdk,
      'image digest mismatch for build 9fceb02: want sha256:2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae',
    ),
    text(
      'go',
      goSdk,
      'image digest mismatch for build e5a1c7d: want sha256:fcde2b2edba56bf408601fb721fe9b5c338d10ee429ea04fae5511b68fbf8fb9',
    ),
  ),
  // One statement; an IPv6 peer with a port, then an IPv4 one, and another hexadecimal code.
  same(
    'an IPv6 and an IPv4 peer',
    text('native', ['sentry.rust', '0.34.0'], 'dropping peer [2001:db8:0:7::1f]:8883 after malformed packet type 0x1c'),
    text('native', ['sentry.rust', '0.34.0'], 'dropping peer 192.0.2.77:50122 after malformed packet type 0xF0'),
  ),
  // One statement; the document in the text is data.
  same(
    'another JSON document in the text',
    text('node', nodeSdk, 'Unhandled webhook payload {"id":"evt_1Nq2","type":"lot.created","data":{"lot":881}}'),
    text(
      'node',
      nodeSdk,
      'Unhandled webhook payload {"id":"evt_9Zp7","type":"lot.created","data":{"lot":12,"grade":"B"}}',
    ),
  ),
  // Newer SDKs send the formatted text along with the template; the record is one.
  same(
    'with and without the formatted text',
    record('scales.serial', 'Scale %s lost after %d readings', ['COM4', 880]),
    record(
      'scales.serial',
      'Scale %s lost after %d readings',
      ['/dev/ttyUSB1', 12],
      'Scale /dev/ttyUSB1 lost after 12 readings',
    ),
  ),
  // Being refused by the provider is not being unable to reach it.
  different(
    'declined and unreachable',
    text('node', nodeSdk, 'Payment provider declined charge ch_3Px81 of order 5512'),
    text('node', nodeSdk, 'Payment provider unreachable for charge ch_3Px90 of order 5518'),
  ),
  // A warning that is due and an outage that is there.
  different(
    'a certificate that will expire and one that has',
    text('go', goSdk, 'certificate for mqtt.granary.io expires in 6 days'),
    text('go', goSdk, 'certificate for mqtt.granary.io has expired 2 days ago'),
  ),
  // Two end points of two features answer with two statuses.
  different(
    'two end points with two statuses',
    text('node', nodeSdk, 'GET /api/lots/1881/grades responded 500'),
    text('node', nodeSdk, 'POST /api/invoices/77/refunds responded 403'),
  ),
  // A pool that is empty and a schema that is wrong: two statements without any value.
  different(
    'two constant texts',
    logged('java', javaSdk, { logger: 'io.granary.db.Pool', message: 'Connection pool exhausted' }),
    logged('java', javaSdk, {
      logger: 'io.granary.db.Migrations',
      message: 'Schema version is newer than the application',
    }),
  ),
];
