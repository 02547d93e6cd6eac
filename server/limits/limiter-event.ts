import type { CallEvent, EventsDropped } from './stats/call-event.ts'

/** What the limiter has to log: that its store began to fail or answers again, and the first of what calls met. */
export type LimiterEvent =
  | { readonly type: 'degraded'; readonly cause: string }
  | { readonly type: 'recovered'; readonly afterMs: number; readonly decisionsWithoutStore: number }
  | CallEvent
  | EventsDropped
