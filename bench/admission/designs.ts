import type { Rule } from '#server/limits/rule-set.ts'

/** One way to limit calls to `limit` per `window`, for comparison. */
export interface Design {
  readonly name: string
  readonly rule: Rule
  /** How long calls may wait for their turn instead of being refused. */
  readonly wait?: '1h'
}

/** Every algorithm, with the options that change what it admits. */
export function designs(limit: number, window: '10s' | '1m' | '1d'): readonly Design[] {
  return [
    { name: 'sliding-window-log', rule: { limit, window } },
    { name: "fixed-window, align: 'window'", rule: { algorithm: 'fixed-window', limit, window, align: 'window' } },
    { name: 'sliding-window-counter', rule: { algorithm: 'sliding-window-counter', limit, window } },
    {
      name: "sliding-window-counter, oldest: 'whole'",
      rule: { algorithm: 'sliding-window-counter', limit, window, oldest: 'whole' },
    },
    { name: 'leaky-bucket or token-bucket', rule: { algorithm: 'token-bucket', limit, window } },
    {
      name: `token-bucket, burst: ${limit / 4}`,
      rule: { algorithm: 'token-bucket', limit, window, burst: limit / 4 },
    },
    { name: 'leaky-bucket under wait', rule: { algorithm: 'leaky-bucket', limit, window }, wait: '1h' },
  ]
}
