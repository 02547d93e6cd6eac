import { toLocale } from '#format/locale.ts'
import type { LetterOf } from '../letter.ts'
import { type Desk, type Draft, draftIn, makeLink } from './draft.ts'
import { whenAndWhere } from './security.ts'

const found = { username: true, locale: true } as const

/** The link that confirms an address, unless its owner has entered another one since. */
export async function draftConfirmation(desk: Desk, { userId, email }: LetterOf<'confirm'>): Promise<Draft | null> {
  const where = { id: userId, pendingEmail: email, bannedAt: null, shared: false }
  const user = await desk.db.user.findUnique({ where, select: found })
  if (!user) return null
  const { username } = user
  return draftIn(desk, email, toLocale(user.locale), async ({ say, siteName: site }) => ({
    title: say('mail.confirm.title'),
    paragraphs: [say('mail.confirm.text', { username, site })],
    link: { label: say('mail.confirm.link'), url: await makeLink(desk, 'email', { userId, email }) },
    after: [say('mail.confirm.until'), say('mail.confirm.ignore')],
    why: say('mail.whyEntered', { username, site }),
  }))
}

/** To the address that an account had: whoever reads it may not have changed it. */
export async function draftMoved(desk: Desk, { userId, email, at, address }: LetterOf<'moved'>): Promise<Draft | null> {
  const user = await desk.db.user.findUnique({ where: { id: userId }, select: found })
  if (!user) return null
  const { username } = user
  return draftIn(desk, email, toLocale(user.locale), (pen) => ({
    title: pen.say('mail.moved.title'),
    paragraphs: [pen.say('mail.moved.text', { username }), pen.say('mail.moved.check')],
    facts: whenAndWhere(pen, { at, address }),
    why: pen.say('mail.whyFormer', { username, site: pen.siteName }),
  }))
}
