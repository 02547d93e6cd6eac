import { expect, it, test } from 'vitest'
import type { S3Settings } from '#server/storage/s3/settings.ts'
import { pricesFor, pricesSchema, published } from './prices.ts'

it.each(Object.entries(published))('publishes a price table of %s that an owner could enter', (provider, prices) => {
  expect(pricesSchema.parse(prices)).toEqual(prices)
  expect(prices.provider).toBe(provider)
})

const s3: S3Settings = {
  bucket: 'images',
  endpoint: null,
  region: 'us-east-1',
  accessKeyId: 'x',
  secretAccessKey: 'x',
  pathStyle: false,
  prefix: '',
  checksums: 'when-required',
}

test.each([
  [null, 's3'],
  ['https://s3.eu-central-1.amazonaws.com', 's3'],
  ['https://0123456789abcdef.r2.cloudflarestorage.com', 'r2'],
  ['https://s3.us-west-004.backblazeb2.com', 'b2'],
  ['https://cos.ap-guangzhou.myqcloud.com', 'cos'],
  ['http://127.0.0.1:9000', 'other'],
  ['https://notamazonaws.com', 'other'],
])('applies to a bucket at %s the prices of %s', (endpoint, provider) => {
  expect(pricesFor({ s3: { ...s3, endpoint } }).provider).toBe(provider)
})

it('charges nothing for a disk', () => {
  expect(pricesFor({ s3: null })).toMatchObject({ provider: 'disk', reads: 0, bytesOut: 0, stored: 0 })
})
