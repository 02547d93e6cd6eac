import type { CallEvent, EventsDropped } from './stats/call-event.ts'
import type { StoreEvent } from './stores/circuit-breaker.ts'

/** What the limiter has to log: that its store began to fail or answers again, and the first of what calls met. */
export type LimiterEvent = StoreEvent | CallEvent | EventsDropped
