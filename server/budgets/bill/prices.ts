import { z } from 'zod'
import type { Config } from '#server/config.ts'
import { invalid } from '#server/errors/invalid.ts'
import { periods, units } from '../budget.ts'

const nanos = z.int().min(0).max(1e15)

const allowance = z
  .strictObject({ period: z.enum(periods), unit: z.enum(units), limit: z.int().min(0) })
  .refine(({ period, unit }) => (period === 'standing') === (unit === 'stored'), invalid('budgetPeriod'))

/** A provider's prices, in nanos: billionths of the currency unit. */
export const pricesSchema = z.strictObject({
  provider: z.enum(['disk', 's3', 'r2', 'b2', 'cos', 'other']),
  name: z.string().min(1).max(100),
  currency: z.string().regex(/^[A-Z]{3}$/, invalid('currency')),
  /** The day on which the prices were looked up. */
  asOf: z.iso.date(),
  source: z
    .url({ protocol: /^https?$/ })
    .max(300)
    .nullable(),
  note: z.string().max(500),
  /** Per million requests. */
  writes: nanos,
  reads: nanos,
  deletes: nanos,
  /** The bytes of the provider's gigabyte. */
  gigabyte: z.union([z.literal(1_000_000_000), z.literal(1_073_741_824)]),
  /** Per gigabyte to and from the bucket. */
  bytesIn: nanos,
  bytesOut: nanos,
  /** Per gigabyte and month. */
  stored: nanos,
  /** Free allowances, in the form of budgets. */
  free: z.array(allowance).max(12),
})

export type Prices = z.output<typeof pricesSchema>
export type Provider = Prices['provider']

const GB = 1_000_000_000
const GIB = 1_073_741_824
/** Nanos in one unit of the currency. */
const UNIT = 1_000_000_000

const nothing = { writes: 0, reads: 0, deletes: 0, bytesIn: 0, bytesOut: 0, stored: 0, free: [] }

/** The published prices. Where they fall with the volume, this is the first tier, so that the bill is never higher than
 *  counted. */
export const published: Readonly<Record<Provider, Prices>> = {
  disk: {
    provider: 'disk',
    name: 'Disk',
    currency: 'USD',
    asOf: '2026-11-21',
    source: null,
    note: '',
    gigabyte: GB,
    ...nothing,
  },
  other: {
    provider: 'other',
    name: 'Bucket',
    currency: 'USD',
    asOf: '2026-11-21',
    source: null,
    note: '',
    gigabyte: GB,
    ...nothing,
  },
  s3: {
    provider: 's3',
    name: 'Amazon S3',
    currency: 'USD',
    asOf: '2026-05-04',
    source: 'https://aws.amazon.com/s3/pricing/',
    note: '',
    writes: 5 * UNIT,
    reads: 0.4 * UNIT,
    deletes: 0,
    gigabyte: GIB,
    bytesIn: 0,
    bytesOut: 0.09 * UNIT,
    stored: 0.023 * UNIT,
    free: [{ period: 'month', unit: 'bytesOut', limit: 100 * GIB }],
  },
  r2: {
    provider: 'r2',
    name: 'Cloudflare R2',
    currency: 'USD',
    asOf: '2026-08-03',
    source: 'https://developers.cloudflare.com/r2/pricing/',
    note: '',
    writes: 4.5 * UNIT,
    reads: 0.36 * UNIT,
    deletes: 0,
    gigabyte: GB,
    bytesIn: 0,
    bytesOut: 0,
    stored: 0.015 * UNIT,
    free: [
      { period: 'month', unit: 'writes', limit: 1_000_000 },
      { period: 'month', unit: 'reads', limit: 10_000_000 },
      { period: 'standing', unit: 'stored', limit: 10 * GB },
    ],
  },
  b2: {
    provider: 'b2',
    name: 'Backblaze B2',
    currency: 'USD',
    asOf: '2026-09-07',
    source: 'https://www.backblaze.com/cloud-storage/pricing',
    note: '',
    writes: 0,
    reads: 0,
    deletes: 0,
    gigabyte: GB,
    bytesIn: 0,
    bytesOut: 0.01 * UNIT,
    stored: 0.00695 * UNIT,
    free: [{ period: 'standing', unit: 'stored', limit: 10 * GB }],
  },
  cos: {
    provider: 'cos',
    name: 'Tencent Cloud COS',
    currency: 'CNY',
    asOf: '2024-01-06',
    source: 'https://buy.cloud.tencent.com/price/cos',
    note: '',
    writes: 1 * UNIT,
    reads: 1 * UNIT,
    deletes: 0,
    gigabyte: GIB,
    bytesIn: 0,
    bytesOut: 0.5 * UNIT,
    stored: 0.118 * UNIT,
    free: [],
  },
}

const hosts: readonly (readonly [RegExp, Provider])[] = [
  [/(^|\.)amazonaws\.com(\.cn)?$/, 's3'],
  [/(^|\.)r2\.cloudflarestorage\.com$/, 'r2'],
  [/(^|\.)backblazeb2\.com$/, 'b2'],
  [/(^|\.)myqcloud\.com$/, 'cos'],
]

/** Returns the published prices of the configured store's provider, which apply until the owner enters others. */
export function pricesFor({ s3 }: Pick<Config, 's3'>): Prices {
  if (!s3) return published.disk
  if (!s3.endpoint) return published.s3
  const { hostname } = new URL(s3.endpoint)
  return published[hosts.find(([host]) => host.test(hostname))?.[1] ?? 'other']
}
