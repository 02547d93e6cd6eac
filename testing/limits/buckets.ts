import { compileRule, type RuleFrame } from '#server/limits/rules/compile-rule.ts'
import type { Bucket, LeakyBucket } from '#server/limits/rules/compiled.ts'

/** A bucket as declared by a test. */
export interface BucketOfTest {
  readonly limit: number
  /** In milliseconds. */
  readonly window: number
  /** The limit by default. */
  readonly capacity?: number
  /** For a bucket that paces: how many milliseconds ahead a turn may be. Without it, the bucket is a meter. */
  readonly maxDelayMs?: number
}

export function leakyBucketRule({ maxDelayMs = -1, limit, window, capacity }: BucketOfTest): LeakyBucket {
  return compileRule['leaky-bucket']({ ...FRAME, maxDelayMs }, { algorithm: 'leaky-bucket', limit, window, capacity })
}

export function tokenBucketRule({ limit, window, capacity }: BucketOfTest): Bucket {
  return compileRule['token-bucket'](FRAME, { algorithm: 'token-bucket', limit, window, burst: capacity })
}

const FRAME: RuleFrame = { set: 'test', unit: 'calls', maxDelayMs: -1, scale: (amount) => amount }
