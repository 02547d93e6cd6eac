import { TRPCError } from '@trpc/server'
import { z } from 'zod'
import { type Actor, actorOf } from '#server/audit/audit.ts'
import { noteSchema } from '#server/audit/note.ts'
import { type Cidr, cidrText, overlap, parseCidr } from '#server/cidr.ts'
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
    ctx.addIssue('must be an address, or a range such as 192.0.2.0/24 or 2001:db8::/32')
    return z.NEVER
  })

const setInput = z.strictObject({
  cidr: cidrSchema,
  verdict: z.enum(['allow', 'deny']),
  note: noteSchema.optional(),
})

/** Lets a range of addresses in, or shuts it out. The most specific range decides. Answers the range's one spelling. */
export const setRule = superadminProcedure
  .meta({ limits: limitAdminChange })
  .input(setInput)
  .mutation(async ({ ctx, input: { cidr, verdict, note = null } }): Promise<{ cidr: string }> => {
    await change(ctx, actorOf(ctx), cidr, { verdict, note })
    return { cidr: cidrText(cidr) }
  })

/** What a wider range says holds again. Done twice it changes nothing more. */
export const removeRule = superadminProcedure
  .meta({ limits: limitAdminChange })
  .input(z.strictObject({ cidr: cidrSchema }))
  .mutation(async ({ ctx, input: { cidr } }): Promise<Record<string, never>> => {
    await change(ctx, actorOf(ctx), cidr, null)
    return {}
  })

async function change(
  { app, caller }: Context,
  actor: Actor,
  cidr: Cidr,
  to: Pick<AccessRule, 'verdict' | 'note'> | null,
): Promise<void> {
  const own = parseCidr(caller.address)
  const mayHold = (rules: readonly Pick<AccessRule, 'cidr' | 'verdict'>[]) => own === null || letsIn(rules, own)
  const outcome = await writeRule(app.db, actor, { cidr, to, mayHold })
  if (outcome === 'too-many')
    throw new TRPCError({ code: 'BAD_REQUEST', message: `There are ${MOST_RULES} ranges already: remove some first.` })
  if (outcome === 'locks-out') {
    const message = `That would shut out your own address, ${caller.address}: allow it first, by a narrower range.`
    throw new TRPCError({ code: 'BAD_REQUEST', message })
  }
  await app.access.announce()
}

/** Whether whoever makes a change still comes in after it. Of IPv6 only the network is known here: nothing of it may be shut
 *  out, by a range that is narrower either. */
function letsIn(rules: readonly Pick<AccessRule, 'cidr' | 'verdict'>[], own: Cidr): boolean {
  if (new AddressTree(rules).verdictOf(own.network) === 'deny') return false
  return !rules.some(({ cidr, verdict }) => verdict === 'deny' && cidr.bits > own.bits && overlap(cidr, own))
}
