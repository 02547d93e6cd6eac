interface Met {
  /** The procedure or route; the rule set where the call has no label. */
  readonly label: string
  /** The text in the key's braces. */
  readonly subject: string
  readonly ruleSet: string
  readonly policy: string
}

/** An exceptional outcome of a call: a refusal, a refusal that shadow mode suppressed, a degraded answer, or a wait.
 *  Reported once per subject and policy in a window of the rule. */
export type CallEvent =
  | (Met & { readonly type: 'refused' | 'shadow-refused' | 'degraded-answer'; readonly retryAfterMs: number })
  | (Met & { readonly type: 'waited'; readonly waitedMs: number })

/** How many events were not reported in the last minute, because the table of reported subjects was full. */
export interface EventsDropped {
  readonly type: 'events-dropped'
  readonly count: number
}
