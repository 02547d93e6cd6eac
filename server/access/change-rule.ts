import { z } from 'zod'
import { type Actor, toActor } from '#server/audit/audit.ts'
import { noteSchema } from '#server/audit/note.ts'
import { type Cidr, cidrText, overlap, parseCidr } from '#server/cidr.ts'
import { invalid } from '#server/errors/invalid.ts'
import { refuse } from '#server/errors/refuse.ts'
import { limitAdminChange } from '#server/limit-admin/limits.ts'
import type { Context } from '#server/trpc/context.ts'
import { superadminProcedure } from '#server/trpc/init.ts'
import { type AccessRule, MOST_RULES, writeRule } from './access-rows.ts'
import { AddressTree } from './address-tree.ts'

const cidrSchema = z
  .string()
  .max(64)
  .transform((text, ctx) => {
    const cidr = parseCidr(text)
    if (cidr) return cidr
    ctx.addIssue(invalid('addressRange'))
    return z.NEVER
  })

const setInput = z.strictObject({
  cidr: cidrSchema,
  verdict: z.enum(['allow', 'deny']),
  note: noteSchema.optional(),
})

/** Allows or blocks a range of addresses; the most specific range decides. Nobody can block their own address. Returns
 *  the range in canonical form. */
export const setRule = superadminProcedure
  .meta({ limits: limitAdminChange, audit: 'access.setRule' })
  .input(setInput)
  .mutation(async ({ ctx, input: { cidr, verdict, note = null } }): Promise<{ cidr: string }> => {
    await change(ctx, toActor(ctx), cidr, { verdict, note })
    return { cidr: cidrText(cidr) }
  })

/** Removes a rule, so that the next wider range applies. Idempotent. */
export const removeRule = superadminProcedure
  .meta({ limits: limitAdminChange, audit: 'access.removeRule' })
  .input(z.strictObject({ cidr: cidrSchema }))
  .mutation(async ({ ctx, input: { cidr } }): Promise<Record<string, never>> => {
    await change(ctx, toActor(ctx), cidr, null)
    return {}
  })

async function change(
  { app, caller }: Context,
  actor: Actor,
  cidr: Cidr,
  to: Pick<AccessRule, 'verdict' | 'note'> | null,
): Promise<void> {
  const own = parseCidr(caller.address)
  const isAcceptable = (rules: readonly Pick<AccessRule, 'cidr' | 'verdict'>[]) =>
    own === null || stillAllows(rules, own)
  const outcome = await writeRule(app.db, actor, { cidr, to, isAcceptable })
  if (outcome === 'too-many') throw refuse('too-many-ranges', { limit: MOST_RULES })
  if (outcome === 'locks-out') throw refuse('blocks-own-address', { address: caller.address })
  await app.access.announce()
}

/** Whether the caller still has access after the change. Only the caller's network is known for IPv6, so no narrower
 *  range within it may be blocked either. */
function stillAllows(rules: readonly Pick<AccessRule, 'cidr' | 'verdict'>[], own: Cidr): boolean {
  if (new AddressTree(rules).verdictFor(own.network) === 'deny') return false
  return !rules.some(({ cidr, verdict }) => verdict === 'deny' && cidr.bits > own.bits && overlap(cidr, own))
}
