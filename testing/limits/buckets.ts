import { compileRule, type RuleFrame } from '#server/limits/rules/compile-rule.ts'
import type { Bucket, LeakyBucket } from '#server/limits/rules/compiled.ts'

/** A bucket as a test writes it. */
export interface BucketOfTest {
  readonly limit: number
  /** Milliseconds. */
  readonly window: number
  /** The limit where it says nothing. */
  readonly capacity?: number
  /** How far away a turn may be of a bucket that paces, in milliseconds; without it, the bucket is a meter. */
  readonly maxDelayMs?: number
}

export function leakyBucketRule({ maxDelayMs = -1, limit, window, capacity }: BucketOfTest): LeakyBucket {
  return compileRule['leaky-bucket']({ ...FRAME, maxDelayMs }, { algorithm: 'leaky-bucket', limit, window, capacity })
}

export function tokenBucketRule({ limit, window, capacity }: BucketOfTest): Bucket {
  return compileRule['token-bucket'](FRAME, { algorithm: 'token-bucket', limit, window, burst: capacity })
}

const FRAME: RuleFrame = { set: 'test', unit: 'calls', maxDelayMs: -1, factor: 1 }
