import { different, same } from '../pair.ts';
import { logged, message } from '../shapes/message.ts';
import { node } from '../shapes/javascript.ts';

const pair = (name: string, text: (id: string) => string, first: string, second: string) =>
  same(name, message(text(first)), message(text(second)));
const thrown = (value: string) => node({ type: 'StripeInvalidRequestError', value });

/** C3: texts that differ in a generated id. */
export const idPairs = [
  pair('nanoid', (id) => `No session ${id}`, 'V1StGXR8_Z5jdHi6B-myT', 'Qf3kLp9XwT2_sVn8RbYz0'),
  pair(
    'nanoid at the end of a sentence',
    (id) => `Cannot find cart ${id}.`,
    '-1StGXR8_Z5jdHi6B-my_',
    'Uakgb_J5m9g-0JDMbcJqL',
  ),
  pair('nanoid in a route', (id) => `GET /carts/${id}/items failed`, 'V1StGXR8_Z5jdHi6B-myT', 'Uakgb_J5m9g-0JDMbcJqL'),
  pair('customer of a payment service', (id) => `No such customer: ${id}`, 'cus_NffrFeUfNV2Hib', 'cus_Q7hTr4PzLm9XbK'),
  pair('payments', (id) => `Payment ${id} was declined`, 'pi_3MtwBwLkdIwHu7ix28a3tqPa', 'pi_3NbQrVKz9LmPx0Wt1YcDfGhJ'),
  pair('test sessions', (id) => `Session ${id} expired`, 'cs_test_a1Xr9TqPz4LmWk7VbN', 'cs_test_b7Kq2WvRt8ZpLx3MnC'),
  pair(
    'ids in logs of key and value',
    (id) => `charge failed code=${id} retry=3`,
    'ch_3MtwBwLkdIwHu7ix',
    'ch_9QzLpXrWvT4bNk2y',
  ),
  pair(
    'request ids of S3',
    (id) => `AccessDenied (Service: S3, Status Code: 403, Request ID: ${id})`,
    'TXNQ5P7YD7K1ZGMA',
    '8XKTRVBNQPLMDG4W',
  ),
  pair(
    'extended request ids of S3',
    (id) => `AccessDenied (Extended Request ID: ${id})`,
    'eftixk72aD6Ap51TnqcoF8eFidJG9Z/2mkiDFu8yU9AS1ed4OpIszj7UDNEHGran',
    'MzRISOwyjmnup6C/9bS3pZt+vQ1dWc0EPl7xVnJ8kK2mAaTgYhLfUiRoXsBqGjDN',
  ),
  pair(
    'request ids of a gateway',
    (id) => `API answered 502, request id ${id}`,
    'Xj3nMHJ2IAMFkRg=',
    'c2RtZhGlIAMEPVw=',
  ),
  pair(
    'request ids of two services',
    (id) => `ThrottlingException: Rate exceeded (RequestId: ${id})`,
    '1b9e0b3e-1111-5c5c-9a0c-5e1a2b3c4d5e',
    'LKJH4KBT4MUH2QHVK7ED1M4N3RVV4KQNSO5AEMVJF66Q9ASUAAJG',
  ),
  pair(
    'ids of Gmail, old and new',
    (id) => `SMTPDataError: 550 5.7.26 This mail is unauthenticated. ${id} - gsmtp`,
    'd9443c01a7336-1ff1a5b2c3dsi12345678plg.123',
    'x14si1234567qvb.39',
  ),
  pair('ids of Exim', (id) => `rejected after DATA: message ${id} is too big`, '1rXyZ0-0001aB-Cd', '1sQwEr-000Tzx-9y'),
  same(
    'in the value of an exception',
    thrown('No such price: price_1MoBy5LkdIwHu7ixZhnattbh'),
    thrown('No such price: price_1PqZr8TkXnVb2LwMy0cDfGhJ'),
  ),
  same(
    'in a template that is the whole text',
    logged('No session V1StGXR8_Z5jdHi6B-myT', [], 'No session V1StGXR8_Z5jdHi6B-myT'),
    logged('No session Qf3kLp9XwT2_sVn8RbYz0', [], 'No session Qf3kLp9XwT2_sVn8RbYz0'),
  ),
  different(
    'two kinds of objects',
    message('No such object: cus_NffrFeUfNV2Hib'),
    message('No such object: sub_NffrFeUfNV2Hib'),
  ),
  different('names of functions', message('failed in getUserByIdV2'), message('failed in getOrderByIdV2')),
  different(
    'names of classes with figures',
    message('no bean OAuth2LoginController'),
    message('no bean OAuth2TokenController'),
  ),
  different('names with capitals', message('missing XMLHttpRequestUpload'), message('missing XSLTProcessorFactory')),
  different('constants', message('E_CARD_DECLINED_TWICE'), message('E_CARD_EXPIRED_TODAY')),
  different(
    'words joined by dashes',
    message('queue payment-processing-job stalled'),
    message('queue invoice-rendering-job stalled'),
  ),
  different(
    'names joined by underscores',
    message('no index user_profileSettings'),
    message('no index user_billingSettings'),
  ),
  different('names of devices', message('unsupported iPhone14ProMax'), message('unsupported iPadAir2Cellular')),
  different(
    'what a request id is missing from',
    message('request id missing from header'),
    message('request id missing from body'),
  ),
  different('what is said of a session id', message('session id expired yesterday'), message('session id rejected')),
];
