import type { Metric } from '#server/metrics/exposition.ts'

/** What a worker sends to the primary. */
export type FromWorker =
  /** It accepts connections. */
  | { readonly kind: 'ready' }
  | { readonly kind: 'pong' }
  /** A scrape has reached it: its own metrics, and those that are the same in all workers. */
  | {
      readonly kind: 'scrape'
      readonly id: number
      readonly own: readonly Metric[]
      readonly shared: readonly Metric[]
    }
  /** The answer to `read`. */
  | { readonly kind: 'metrics'; readonly id: number; readonly own: readonly Metric[] }

/** What the primary sends to a worker. */
export type FromPrimary =
  | { readonly kind: 'ping' }
  /** It serves the owner's commands from now on. */
  | { readonly kind: 'serve-owner' }
  /** Its own metrics are asked for. */
  | { readonly kind: 'read'; readonly id: number }
  /** The answer to `scrape`: the metrics of all workers. */
  | { readonly kind: 'scraped'; readonly id: number; readonly metrics: readonly Metric[] }
