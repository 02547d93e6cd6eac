import type { CallEvent, EventsDropped } from './stats/call-event.ts'
import type { StoreEvent } from './stores/failover/circuit-breaker.ts'

/** Events that the limiter logs: its store began to fail or recovered, and the first refusals of a subject in a
 *  window. */
export type LimiterEvent = StoreEvent | CallEvent | EventsDropped
