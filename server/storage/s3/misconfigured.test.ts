import { expect, test } from 'vitest'
import { ObjectStoreUnavailable } from '../object-store.ts'
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

// Failures that a test server cannot produce on every machine.
test.each([
  ['ENOTFOUND', true, 'S3_ENDPOINT: there is no host s3.example.org. Correct it.'],
  ['ENOTFOUND', false, 'S3_ENDPOINT: there is no host images.s3.example.org. Correct it, or set S3_PATH_STYLE=on.'],
  [
    'DEPTH_ZERO_SELF_SIGNED_CERT',
    true,
    'S3_ENDPOINT: the certificate of s3.example.org is not trusted (DEPTH_ZERO_SELF_SIGNED_CERT). Add its issuer to NODE_EXTRA_CA_CERTS, or renew it.',
  ],
  [
    'CERT_HAS_EXPIRED',
    true,
    'S3_ENDPOINT: the certificate of s3.example.org is not trusted (CERT_HAS_EXPIRED). Add its issuer to NODE_EXTRA_CA_CERTS, or renew it.',
  ],
  [
    'ERR_TLS_CERT_ALTNAME_INVALID',
    true,
    'S3_ENDPOINT: the certificate of s3.example.org is for another name. Use that name.',
  ],
  [
    'ERR_TLS_CERT_ALTNAME_INVALID',
    false,
    'S3_ENDPOINT: the certificate of s3.example.org is not for images.s3.example.org. Set S3_PATH_STYLE=on.',
  ],
  [
    'EHOSTUNREACH',
    true,
    'S3_ENDPOINT: s3.example.org does not respond (No way). Correct it, or make it reachable from this machine.',
  ],
])('%s with path style %s', (code, pathStyle, sentence) => {
  const error = new ObjectStoreUnavailable('x', { cause: Object.assign(new Error('No way'), { code }) })
  expect(misconfiguration(error, 'write', { ...settings, pathStyle })).toBe(sentence)
})

test('names the region and the endpoint when the endpoint contains the wrong region', () => {
  const cause = Object.assign(new Error('No'), {
    Code: 'AuthorizationHeaderMalformed',
    Region: 'eu-west-1',
    $metadata: { httpStatusCode: 400 },
    $response: { headers: {} },
  })
  const wrong = { ...settings, endpoint: 'https://s3.us-east-1.amazonaws.com' }
  expect(misconfiguration(new ObjectStoreUnavailable('x', { cause }), 'write', wrong)).toBe(
    'S3_REGION: the bucket is in eu-west-1, not in us-east-1. Use eu-west-1, also in S3_ENDPOINT.',
  )
})

test.each([
  [600_000, "This machine's clock is 10 minutes behind the bucket's. Correct it."],
  [-3_600_000, "This machine's clock is 60 minutes ahead of the bucket's. Correct it."],
])('a bucket whose clock is %d ms later', (skew, sentence) => {
  expect(clockSentence(skew)).toBe(sentence)
})
