import type { BlockedKey } from '#server/limits/block-list.ts'
import { superadminProcedure } from '#server/trpc/init.ts'
import { limitAdminView } from '../limits.ts'
import { loadThings, type ShownArgument } from '../named-things.ts'
import type { OverrideTarget } from '../overrides/override-target.ts'
import { createArgumentNamer } from '../shown-argument.ts'
import { createSubjectNamer, type ShownSubject } from '../shown-subject.ts'
import { blockOfKey, type RuleBlock } from './rule-block.ts'
import { readBans, readRanges } from './site-blocks.ts'

/** One block that is in force now. */
export interface BlockItem {
  /** A rule of the set with `blockFor`, an override until a time, a banned account, or a blocked range of addresses. */
  readonly kind: 'rule' | 'override' | 'ban' | 'range'
  /** Distinct among all. For a rule its key, which `limits.reset` takes; the account of a ban; the range as `access.removeRule`
   *  takes it. */
  readonly id: string
  /** Whom it blocks; null for a range, and for an override of more than one subject or of an argument. */
  readonly subject: ShownSubject | null
  /** What of the subject's calls it blocks, or of everybody's; null for all. */
  readonly argument: ShownArgument | null
  /** Null for everything. */
  readonly ruleSet: string | null
  /** Of a rule. */
  readonly policy: string | null
  /** Of an override. */
  readonly target: OverrideTarget | null
  readonly procedure: string | null
  /** ISO 8601; null if not known. */
  readonly since: string | null
  /** ISO 8601; null until somebody lifts it. */
  readonly until: string | null
  /** Null for a rule, and if nobody is recorded. */
  readonly by: string | null
  readonly note: string | null
}

export interface BlockItems {
  /** The newest first. */
  readonly blocks: readonly BlockItem[]
  /** False if there are more than are listed. */
  readonly isWhole: boolean
}

/** Returns every block that is in force now, whatever has made it. */
export const listBlocks = superadminProcedure
  .meta({ limits: limitAdminView })
  .query(async ({ ctx }): Promise<BlockItems> => {
    const { db, limiter, limitAdmin, config } = ctx.app
    const { overrides, refusals } = limitAdmin
    const [found, stored, bans, ranges] = await Promise.all([
      limiter.blocks(),
      overrides.load(),
      readBans(db),
      readRanges(db),
    ])
    const { catalogue } = overrides
    const now = Date.now()
    const arguments_ = refusals.argumentsByKey()
    const ofRules = found.blocked.flatMap((each: BlockedKey) => blockOfKey(each, catalogue, stored) ?? [])
    const counts = ofRules.map((each) => ({ ...each, argument: arguments_.get(each.key) }))
    const ofOverrides = stored.filter(({ terms, problem }) => !problem && Date.parse(terms?.blockedUntil ?? '') > now)
    const subjects = [
      ...ofRules.map(({ subject }) => subject),
      ...ofOverrides.flatMap(({ target }) => (target.kind === 'subject' ? target.subject : [])),
    ]
    const nameSubject = await createSubjectNamer(db, subjects, ctx.viewer)
    const values = ofOverrides.flatMap(({ target }) => (target.kind === 'argument' ? { argument: target.value } : []))
    const things = await loadThings(db, config.origin, [...counts, ...values])
    const nameArgument = createArgumentNamer(catalogue, things, ctx.viewer)
    const blocks = [
      ...counts.map((each) => ruleItem(each, now, nameSubject(each.subject), nameArgument(each))),
      ...ofOverrides.map(
        ({ ruleSet, procedure = null, target, terms, note, changedAt, changedBy }): BlockItem => ({
          ...NOTHING,
          kind: 'override',
          id: JSON.stringify([ruleSet, procedure, target]),
          subject: target.kind === 'subject' ? nameSubject(target.subject) : null,
          argument: target.kind === 'argument' ? nameArgument({ ruleSet, argument: target.value }) : null,
          ...{ ruleSet, procedure, target, note, by: changedBy },
          since: changedAt.toISOString(),
          until: terms?.blockedUntil ?? null,
        }),
      ),
      ...bans.blocks.map((each): BlockItem => ({ ...NOTHING, kind: 'ban', ...each })),
      ...ranges.map((each): BlockItem => ({ ...NOTHING, kind: 'range', ...each })),
    ]
    return {
      blocks: blocks.toSorted((a, b) => ((b.since ?? '') < (a.since ?? '') ? -1 : 1)),
      isWhole: found.isWhole && bans.isWhole,
    }
  })

const NOTHING = {
  ...{ subject: null, argument: null, ruleSet: null, policy: null, target: null, procedure: null },
  ...{ since: null, until: null, by: null, note: null },
}

const isoAt = (ms: number): string => new Date(ms).toISOString()

function ruleItem(
  { key, ruleSet, policy, leftMs, blockMs }: RuleBlock,
  now: number,
  subject: ShownSubject,
  argument: ShownArgument | null,
): BlockItem {
  const until = now + leftMs
  const shown = { ...NOTHING, kind: 'rule', id: key, subject, argument, ruleSet, policy } as const
  return { ...shown, since: isoAt(until - blockMs), until: isoAt(until) }
}
