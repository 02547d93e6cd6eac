import type { ByteSize } from '#format/bytes.ts'
import type { Duration } from '#format/durations.ts'
import type { PathOf } from './rules/input-path.ts'

/** An amount: a whole number, or for a set that counts bytes a size such as '20MB'. */
export type Amount = number | ByteSize

/** The subject that a rule set counts: see subject.ts. */
export type CountBy = 'subject' | 'ip' | 'network' | 'user' | 'site'

/** Counts an argument of the call: all calls with the same value together, or for each subject separately. For a list,
 *  each of its values is counted. All missing values count as the same value. */
export interface CountByInput<Path extends string> {
  /** The path in the input: 'id', 'filter.owner'. */
  readonly input: Path
  readonly per?: 'subject'
}

/** What applies while the store fails: the in-process limiter (the default), a refusal, or nothing. */
export type OnStoreFailure = 'local' | 'deny' | 'allow'

/** The effect of a lack of permits: refuses the call (the default), is only counted, or allows it with a cheaper
 *  answer. */
export type Mode = 'enforce' | 'shadow' | 'degrade'

/** Calls, or the bytes that a call moves. */
export type Unit = 'calls' | 'bytes'

interface LimitPerWindow {
  readonly limit: Amount
  readonly window: Duration
  /** How long a refused subject stays refused, which is longer than the window. */
  readonly blockFor?: Duration
}

/** At most `limit` permits in any window of any position: exact, and the default. */
export interface SlidingWindowLogRule extends LimitPerWindow {
  readonly algorithm?: 'sliding-window-log'
}

/** At most `limit` permits in each window, the windows side by side; up to twice as many across a border. */
export interface FixedWindowRule extends LimitPerWindow {
  readonly algorithm: 'fixed-window'
  /** Windows begin at the first hit (without it), at multiples of the window since 1970 in UTC ('window'), or with the
   *  calendar's day, week (on Monday) or month, for which `window` is '1d', '7d' or '31d'. */
  readonly align?: 'window' | 'day' | 'week' | 'month'
  /** The calendar's time zone, by its IANA name: 'Europe/Berlin'. UTC by default. */
  readonly timeZone?: string
}

/** At most `limit` permits in a window that slides by sub-windows. */
export interface SlidingWindowCounterRule extends LimitPerWindow {
  readonly algorithm: 'sliding-window-counter'
  /** Sub-windows of a window, 10 by default; they divide it evenly. */
  readonly samples?: number
  /** The oldest sub-window, which lies in the window only in part: weighted by that part (the default), or counted
   *  whole, which never lets more than the limit pass. */
  readonly oldest?: 'weighted' | 'whole'
}

/** A bucket that leaks `limit` permits in `window`, steadily. In a set with `wait` it is a queue that paces. */
export interface LeakyBucketRule extends LimitPerWindow {
  readonly algorithm: 'leaky-bucket'
  /** The capacity of the bucket; `limit` by default. */
  readonly capacity?: Amount
}

/** A bucket that gains `limit` tokens in `window`, continuously. */
export interface TokenBucketRule extends LimitPerWindow {
  readonly algorithm: 'token-bucket'
  /** The capacity of the bucket, and so the largest burst; `limit` by default. */
  readonly burst?: Amount
}

/** At most this many concurrent calls. */
export interface ConcurrencyRule {
  readonly concurrent: number
  /** A process that died keeps its places for at most this long; '30s' by default. Longer calls renew their leases. */
  readonly lease?: Duration
}

export type Rule =
  | SlidingWindowLogRule
  | FixedWindowRule
  | SlidingWindowCounterRule
  | LeakyBucketRule
  | TokenBucketRule
  | ConcurrencyRule

interface RuleSetTerms {
  readonly name?: string
  readonly unit?: Unit
  readonly rules: readonly [Rule, ...Rule[]]
  /** 'failures' refunds the permit of a call that succeeds. */
  readonly count?: 'all' | 'failures'
  readonly mode?: Mode
  /** Permits that a call costs in addition when it turns out abusive, such as one with a forged link: at most a rule's
   *  whole limit. Not for sets that count callers together, who would all pay. */
  readonly penalty?: number
  /** How long a call waits for its permit before it is refused, '1h' at most; first come, first served in its process. */
  readonly wait?: Duration
  /** 'instance' counts in each process separately. */
  readonly scope?: 'cluster' | 'instance'
  /**
   * For a set that counts all callers together: how many networks it takes to use it up. A network is an IPv4 /24 or an
   * IPv6 /48, and may take one part in so many of each limit, at least 1. The server requires it, and at least 20.
   */
  readonly networks?: number
  readonly onStoreFailure?: OnStoreFailure
}

/** What a procedure declares in its meta. Without a name it has the procedure's path; all declarations with one name
 *  share a count. */
export interface RuleSet extends RuleSetTerms {
  readonly by: CountBy
  /** Permits of one call; by default 1, and for a set that counts bytes the number that the caller passes. */
  readonly cost?: number
}

/** A rule set that may look at the call's parsed input. */
export interface InputRuleSet<Input> extends RuleSetTerms {
  readonly by: CountBy | CountByInput<PathOf<Input>>
  /** As in a RuleSet, or computed from the input: a whole number of at least 1. */
  readonly cost?: number | ((input: Input) => number)
}

/** Any rule set, whatever its input. */
export interface AnyRuleSet extends RuleSetTerms {
  readonly by: CountBy | CountByInput<string>
  readonly cost?: number | ((input: never) => number)
}
