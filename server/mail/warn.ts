import { z } from 'zod'
import { periods, units } from '#server/budgets/budget.ts'
import type { Transaction } from '#server/database/database.ts'
import { shareLimits } from '#server/sharing/limits.ts'
import type { WebhookEvent } from '#server/webhooks/events.ts'
import type { Letter } from './letter.ts'
import { receiving } from './receiver.ts'

const amount = z.number()
const budget = z.object({ period: z.enum(periods), unit: z.enum(units), limit: amount, used: amount })
const share = z.object({
  id: z.string(),
  owner: z.object({ id: z.string() }),
  limit: z.enum(shareLimits),
  ...{ amount, used: amount },
})

/** Returns the letters that an event leads to: of budgets to superadmins, of a share to its owner. */
export async function lettersAbout(tx: Transaction, { type, data }: WebhookEvent): Promise<readonly Letter[]> {
  if (type === 'budget.near' || type === 'budget.spent') {
    const state = type === 'budget.near' ? 'near' : 'spent'
    const superadmins = await tx.user.findMany({ where: { role: 'superadmin', ...receiving }, select: { id: true } })
    const facts = budget.parse(data)
    return superadmins.map(({ id: userId }) => ({ kind: 'budget', userId, state, ...facts }))
  }
  if (type !== 'share.near' && type !== 'share.spent') return []
  const { id: shareId, owner, limit: limitName, amount: limit, used } = share.parse(data)
  const state = type === 'share.near' ? 'near' : 'spent'
  return [{ kind: 'share', userId: owner.id, state, shareId, limitName, limit, used }]
}
