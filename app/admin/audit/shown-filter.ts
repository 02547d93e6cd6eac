import { isKnownAct } from '#app/audit/acts.ts'
import type { auditKinds } from '#server/audit/actions.ts'

/** The filters of the page as texts, by their name in its address. */
export interface ShownFilter {
  readonly search?: string
  readonly kind?: string
  /** `1`, `7` or `30`. */
  readonly days?: string
  readonly actor?: string
  readonly account?: string
  readonly address?: string
  readonly requestId?: string
  readonly target?: string
  readonly action?: string
}

/** The kinds in the order of the list. A kind that is missing here does not compile. */
export const kinds: typeof auditKinds = [
  'account',
  'token',
  'user',
  'invite',
  'image',
  'album',
  'share',
  'report',
  'guest',
  'limits',
  'budget',
  'access',
  'site',
  'provider',
  'job',
  'webhook',
  'mail',
  'audit',
  'admin',
  'setup',
]

export const periods = ['1', '7', '30'] as const

const DAY_MS = 24 * 60 * 60 * 1_000

/** Returns the filter in an address; anybody may have written it. */
export function auditFilterFrom(parameters: Pick<URLSearchParams, 'get'>): ShownFilter {
  const given = names.flatMap((name) => {
    const value = parameters.get(name)?.trim().slice(0, 300)
    return value ? [[name, value] as const] : []
  })
  return Object.fromEntries(given)
}

const names = ['search', 'kind', 'days', 'actor', 'account', 'address', 'requestId', 'target', 'action'] as const

/** How long texts may be, in characters. */
const longest = [
  ['search', 100],
  ['actor', 100],
  ['account', 100],
  ['address', 64],
  ['requestId', 100],
] as const

/** Returns the filter as `audit.list` takes it. What it would refuse is left out. */
export function toAuditInput({ kind, days, action, ...texts }: ShownFilter, now: number) {
  const known = kinds.find((each) => each === kind)
  const past = periods.find((each) => each === days)
  return {
    ...texts,
    ...(known && { kind: known }),
    ...(past && { from: new Date(now - Number(past) * DAY_MS).toISOString() }),
    ...(action !== undefined && isKnownAct(action) && { action }),
    ...Object.fromEntries(
      longest.flatMap(([name, length]) => (texts[name] ? [[name, texts[name].slice(0, length)]] : [])),
    ),
  }
}
