import { cleanLine } from '#server/accounts/profile/clean-line.ts'
import type { LetterOf } from '../letter.ts'
import type { Receiver } from '../receiver.ts'
import { type Desk, type Draft, draftTo } from './draft.ts'

/** A budget is nearly or fully spent. */
export function draftBudget(desk: Desk, letter: LetterOf<'budget'>, receiver: Receiver): Draft {
  const { state, period, unit, limit, used } = letter
  return draftTo(desk, receiver, ({ say, format }) => {
    const budget = say('budgets.budget', { unit: say(`budgets.unit.${unit}`), period })
    return {
      title: say(`mail.budget.${state}.title`),
      paragraphs: [say(`mail.budget.${state}.text`, { budget, share: format.share(used / limit) })],
      link: { label: say('mail.budget.link'), url: `${desk.config.origin}/admin/spending` },
    }
  })
}

/** A share has nearly or fully used one of its limits; null if its owner wants no such mail, or it is gone. */
export async function draftShare(desk: Desk, letter: LetterOf<'share'>, receiver: Receiver): Promise<Draft | null> {
  const { state, shareId, limitName, limit, used } = letter
  const where = { id: shareId, ownerId: receiver.userId }
  const share = receiver.wantsShareMails && (await desk.db.share.findUnique({ where, select: { title: true } }))
  if (!share) return null
  const { origin } = desk.config
  return draftTo(desk, receiver, ({ say, format }) => ({
    title: say(`mail.share.${state}.title`),
    paragraphs: [
      say(`mail.share.${state}.text`, {
        name: cleanLine(share.title) || say('mail.share.unnamed'),
        limit: say(`mail.share.limit.${limitName}`, {
          amount: limitName === 'bytesPerDay' ? format.bytes(limit) : format.count(limit),
        }),
        share: format.share(Math.min(1, used / limit)),
      }),
    ],
    link: { label: say('mail.share.link'), url: `${origin}/shares` },
    after: [say('mail.share.off', { url: `${origin}/account#email` })],
  }))
}
