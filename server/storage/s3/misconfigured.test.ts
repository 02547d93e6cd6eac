import { expect, test } from 'vitest'
import { StoreUnavailable } from '../object-store.ts'
import { clockSentence, misconfiguration } from './misconfigured.ts'

const settings = {
  bucket: 'images',
  endpoint: 'https://s3.example.org',
  region: 'us-east-1',
  accessKeyId: 'id',
  secretAccessKey: 'secret',
  pathStyle: true,
  prefix: '',
  checksums: 'when-required',
} as const

// What a test's own server cannot bring about on every machine.
test.each([
  ['ENOTFOUND', true, 'S3_ENDPOINT: there is no host s3.example.org: correct it.'],
  ['ENOTFOUND', false, 'S3_ENDPOINT: there is no host images.s3.example.org: correct it, or set S3_PATH_STYLE=on.'],
  [
    'DEPTH_ZERO_SELF_SIGNED_CERT',
    true,
    "S3_ENDPOINT: the certificate of s3.example.org is not to be trusted (DEPTH_ZERO_SELF_SIGNED_CERT): name its issuer's in NODE_EXTRA_CA_CERTS, or renew it.",
  ],
  [
    'CERT_HAS_EXPIRED',
    true,
    "S3_ENDPOINT: the certificate of s3.example.org is not to be trusted (CERT_HAS_EXPIRED): name its issuer's in NODE_EXTRA_CA_CERTS, or renew it.",
  ],
  [
    'ERR_TLS_CERT_ALTNAME_INVALID',
    true,
    'S3_ENDPOINT: the certificate of s3.example.org is for another name: write that one.',
  ],
  [
    'ERR_TLS_CERT_ALTNAME_INVALID',
    false,
    'S3_ENDPOINT: the certificate of s3.example.org is not for images.s3.example.org: set S3_PATH_STYLE=on.',
  ],
  [
    'EHOSTUNREACH',
    true,
    'S3_ENDPOINT: s3.example.org does not answer (No way): correct it, or let this machine reach it.',
  ],
])('%s with path style %s', (code, pathStyle, sentence) => {
  const error = new StoreUnavailable('x', { cause: Object.assign(new Error('No way'), { code }) })
  expect(misconfiguration(error, 'write', { ...settings, pathStyle })).toBe(sentence)
})

test('an endpoint with the wrong region in it is named along with the region', () => {
  const cause = Object.assign(new Error('No'), {
    Code: 'AuthorizationHeaderMalformed',
    Region: 'eu-west-1',
    $metadata: { httpStatusCode: 400 },
    $response: { headers: {} },
  })
  const wrong = { ...settings, endpoint: 'https://s3.us-east-1.amazonaws.com' }
  expect(misconfiguration(new StoreUnavailable('x', { cause }), 'write', wrong)).toBe(
    'S3_REGION: the bucket lies in eu-west-1 and not in us-east-1: write eu-west-1, in S3_ENDPOINT too.',
  )
})

test.each([
  [600_000, "This machine's clock is 10 minutes behind the bucket's: set it right."],
  [-3_600_000, "This machine's clock is 60 minutes ahead of the bucket's: set it right."],
])('a bucket whose clock is %d ms later', (skew, sentence) => {
  expect(clockSentence(skew)).toBe(sentence)
})
