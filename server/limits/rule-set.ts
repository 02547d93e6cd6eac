import type { ByteSize } from '#format/bytes.ts'
import type { Duration } from '#format/durations.ts'
import type { PathOf } from './rules/input-path.ts'

/** How much: a whole number, or for a set that counts bytes a size such as '20MB'. */
export type Amount = number | ByteSize

/** Whom a rule set counts: see subject.ts. */
export type CountBy = 'subject' | 'ip' | 'user' | 'site'

/** Counts an argument of the call: all calls with the same value together, or each subject's by themselves. Of a list,
 *  each of its values is counted. What of two calls is missing is the same. */
export interface CountByInput<Path extends string> {
  /** Where in the input: 'id', 'filter.owner'. */
  readonly input: Path
  readonly per?: 'subject'
}

/** What holds while the store fails: the in-process limiter (the default), a refusal, or nothing. */
export type OnStoreFailure = 'local' | 'deny' | 'allow'

/** What a lack of permits does: refuses the call (the default), is only counted, or lets it pass for a cheaper answer. */
export type Mode = 'enforce' | 'shadow' | 'degrade'

/** Calls, or the bytes that a call moves. */
export type Unit = 'calls' | 'bytes'

interface LimitPerWindow {
  readonly limit: Amount
  readonly window: Duration
  /** Once refused, a subject stays refused for so long, which is longer than the window. */
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
  /** Of the calendar, by its IANA name: 'Europe/Berlin'. UTC by default. */
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

/** A bucket that leaks `limit` permits in `window`, steadily. Under a set's `wait` it is a queue that paces. */
export interface LeakyBucketRule extends LimitPerWindow {
  readonly algorithm: 'leaky-bucket'
  /** What the bucket holds; `limit` by default. */
  readonly capacity?: Amount
}

/** A bucket that gains `limit` tokens in `window`, continuously. */
export interface TokenBucketRule extends LimitPerWindow {
  readonly algorithm: 'token-bucket'
  /** What the bucket holds, so what may go at once; `limit` by default. */
  readonly burst?: Amount
}

/** At most so many calls under way at the same time. */
export interface ConcurrencyRule {
  readonly concurrent: number
  /** A process that died holds its places for so long at most; '30s' by default. Calls that last longer are renewed. */
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
  /** 'failures' gives the permit back to a call that succeeds. */
  readonly count?: 'all' | 'failures'
  readonly mode?: Mode
  /** A call waits so long for its permit before it is refused, '1h' at most; first come, first served in its process. */
  readonly wait?: Duration
  /** 'instance' counts in each process by itself. */
  readonly scope?: 'cluster' | 'instance'
  readonly onStoreFailure?: OnStoreFailure
}

/** What a procedure declares in its meta. Without a name it has the procedure's path; all that name one set share its
 *  count. */
export interface RuleSet extends RuleSetTerms {
  readonly by: CountBy
  /** Permits of one call; 1 by default, and of a set that counts bytes what its caller says. */
  readonly cost?: number
}

/** A rule set that may look at the call's parsed input. */
export interface InputRuleSet<Input> extends RuleSetTerms {
  readonly by: CountBy | CountByInput<PathOf<Input>>
  /** As in a RuleSet, or what the input makes it: a whole number of at least 1. */
  readonly cost?: number | ((input: Input) => number)
}

/** Any of them, whatever the input. */
export interface AnyRuleSet extends RuleSetTerms {
  readonly by: CountBy | CountByInput<string>
  readonly cost?: number | ((input: never) => number)
}
