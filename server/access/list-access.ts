import { cidrText } from '#server/cidr.ts'
import { limitAdminView } from '#server/limit-admin/limits.ts'
import { superadminProcedure } from '#server/trpc/init.ts'
import { readAccess } from './access-rows.ts'
import type { Verdict } from './address-tree.ts'
import type { HotlinkRule } from './hotlink.ts'

export interface AccessItem {
  readonly cidr: string
  readonly verdict: Verdict
  readonly note: string | null
  /** ISO 8601. */
  readonly changedAt: string
  readonly changedBy: string
}

export interface AccessList {
  /** The address by which the caller is counted. No change may block it. */
  readonly ownAddress: string
  readonly rules: readonly AccessItem[]
  readonly hotlink: HotlinkRule
}

/** Returns the address rules and the sites allowed to embed images. */
export const listAccess = superadminProcedure
  .meta({ limits: limitAdminView })
  .query(async ({ ctx }): Promise<AccessList> => {
    const { rules, hotlink } = await readAccess(ctx.app.db)
    return {
      ownAddress: ctx.caller.address,
      rules: rules.map(({ cidr, changedAt, ...rule }) => {
        return { ...rule, cidr: cidrText(cidr), changedAt: changedAt.toISOString() }
      }),
      hotlink,
    }
  })
