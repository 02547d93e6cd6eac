import { expect, test } from 'vitest'
import { z } from 'zod'
import { InvalidSetting } from '#server/cannot-start.ts'
import { readS3Settings, s3Variables } from './settings.ts'

const keys = { S3_BUCKET: 'images', S3_ACCESS_KEY_ID: 'id', S3_SECRET_ACCESS_KEY: 'secret' }
const variables = z.object(s3Variables)
const settings = (more: Record<string, string> = {}) => readS3Settings(variables.parse({ ...keys, ...more }))

test('returns null without a bucket', () => {
  expect(readS3Settings(variables.parse({}))).toBeNull()
})

test('needs only a bucket and a key for AWS', () => {
  expect(settings()).toEqual({
    bucket: 'images',
    endpoint: null,
    region: 'us-east-1',
    accessKeyId: 'id',
    secretAccessKey: 'secret',
    pathStyle: false,
    prefix: '',
    checksums: 'when-required',
  })
})

test.each([
  ['s3.example.org', 'https://s3.example.org', 'us-east-1', true],
  ['s3.example.org:9000/', 'https://s3.example.org:9000', 'us-east-1', true],
  ['http://127.0.0.1:9000', 'http://127.0.0.1:9000', 'us-east-1', true],
  ['localhost:3900', 'https://localhost:3900', 'us-east-1', true],
  ['https://x.example.co/storage/v1/s3', 'https://x.example.co/storage/v1/s3', 'us-east-1', true],
  ['s3.eu-central-003.backblazeb2.com', 'https://s3.eu-central-003.backblazeb2.com', 'eu-central-003', true],
  ['abc.r2.cloudflarestorage.com', 'https://abc.r2.cloudflarestorage.com', 'auto', true],
  ['s3.fr-par.scw.cloud', 'https://s3.fr-par.scw.cloud', 'fr-par', true],
  ['cos.ap-guangzhou.myqcloud.com', 'https://cos.ap-guangzhou.myqcloud.com', 'ap-guangzhou', true],
  ['s3.eu-west-1.amazonaws.com', 'https://s3.eu-west-1.amazonaws.com', 'eu-west-1', false],
  ['s3-us-gov-west-1.amazonaws.com', 'https://s3-us-gov-west-1.amazonaws.com', 'us-gov-west-1', false],
])('the endpoint %s is %s in %s, path style %s', (written, endpoint, region, pathStyle) => {
  expect(settings({ S3_ENDPOINT: written })).toMatchObject({ endpoint, region, pathStyle })
})

test('prefers explicit settings to what the endpoint implies', () => {
  const written = { S3_ENDPOINT: 's3.eu-west-1.amazonaws.com', S3_REGION: 'garage', S3_PATH_STYLE: 'on' }
  expect(settings(written)).toMatchObject({ region: 'garage', pathStyle: true })
  expect(settings({ S3_ENDPOINT: 's3.example.org', S3_PATH_STYLE: 'off' })).toMatchObject({ pathStyle: false })
})

test.each([
  ['/', ''],
  ['sluice', 'sluice/'],
  ['/a/b_c.d-e//', 'a/b_c.d-e/'],
])('the prefix %s is %j', (written, prefix) => {
  expect(settings({ S3_PREFIX: written })).toMatchObject({ prefix })
})

test.each([
  ['S3_BUCKET', 'my bucket', 'must be only the name of a bucket, such as my-images'],
  ['S3_BUCKET', 's3://images', 'must be only the name of a bucket, such as my-images'],
  [
    'S3_BUCKET',
    'images--use1-az4--x-s3',
    'is a directory bucket (S3 Express One Zone), which is not supported: use a general purpose bucket',
  ],
  ['S3_ENDPOINT', 'ftp://x', 'must be a host such as s3.example.org, or http://host:port without TLS'],
  ['S3_ENDPOINT', 'https://a:b@x', 'must be a host such as s3.example.org, or http://host:port without TLS'],
  ['S3_ENDPOINT', 'x?y', 'must be a host such as s3.example.org, or http://host:port without TLS'],
  ['S3_ENDPOINT', '', 'must be a host such as s3.example.org, or http://host:port without TLS'],
  ['S3_REGION', 'eu west', 'must be the name of a region, such as eu-central-1'],
  ['S3_SECRET_ACCESS_KEY', 'abc ', 'contains a space or another invalid character: copy it again'],
  ['S3_PREFIX', 'a//b', 'may have letters, digits, "-", "_", "." and single "/" between names only'],
  ['S3_PREFIX', 'a/../b', 'may have letters, digits, "-", "_", "." and single "/" between names only'],
  ['S3_PREFIX', 'a?b', 'may have letters, digits, "-", "_", "." and single "/" between names only'],
])('%s=%j %s', (name, value, message) => {
  const result = variables.safeParse({ ...keys, [name]: value })
  expect(result.error?.issues.map((issue) => [issue.path, issue.message])).toEqual([[[name], message]])
})

test.each([
  [{ S3_ENDPOINT: 's3.example.org' }, 'S3_ENDPOINT is set without S3_BUCKET: name the bucket, or remove it'],
  [{ S3_BUCKET: 'images' }, 'S3_BUCKET needs S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY: set both'],
  [
    { ...keys, S3_ENDPOINT: 'https://s3.example.org/images' },
    "S3_ENDPOINT: must not end in the bucket's name: write https://s3.example.org",
  ],
])('rejects the combination %j', (given, message) => {
  expect(() => readS3Settings(variables.parse(given))).toThrow(new InvalidSetting(message))
})
