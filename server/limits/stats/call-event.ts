interface Met {
  /** The procedure or route; the rule set of a call that named none. */
  readonly label: string
  /** The text in the key's braces. */
  readonly subject: string
  readonly ruleSet: string
  readonly policy: string
}

/** What a call met, told at the first of its subject and policy in a window of the rule, not at every one: a refusal, one
 *  that would have been if the rule were not in shadow mode, a cheaper answer, a wait. */
export type CallEvent =
  | (Met & { readonly type: 'refused' | 'shadow-refused' | 'degraded-answer'; readonly retryAfterMs: number })
  | (Met & { readonly type: 'waited'; readonly waitedMs: number })

/** So many were not told in the last minute, for lack of room to remember whose were. */
export interface EventsDropped {
  readonly type: 'events-dropped'
  readonly count: number
}
