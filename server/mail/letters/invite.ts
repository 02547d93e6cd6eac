import { usable } from '#server/accounts/invites/usable-invite.ts'
import { openSecret } from '#server/identity/seal.ts'
import type { LetterOf } from '../letter.ts'
import { type Desk, type Draft, draftIn } from './draft.ts'

/** An invite, unless it has been used or revoked since. In the site's language: nobody knows the reader's. */
export async function draftInvite(desk: Desk, letter: LetterOf<'invite'>): Promise<Draft | null> {
  const { email, inviteId, sealedCode, until } = letter
  const { db, config } = desk
  const code = openSecret(config, sealedCode, `invite/${inviteId}`)
  const invite = await db.invite.findFirst({ where: { id: inviteId, ...usable() }, select: { id: true } })
  if (code === null || !invite) return null
  return draftIn(desk, email, null, ({ say, format, siteName: site }) => ({
    title: say('mail.invite.title', { site }),
    paragraphs: [say('mail.invite.text', { site })],
    link: { label: say('mail.invite.link'), url: `${config.origin}/signup?${new URLSearchParams({ invite: code })}` },
    after: [say('mail.invite.until', { date: format.date(until, { time: true, timeZone: 'UTC' }) })],
    why: say('mail.whyInvited', { site }),
  }))
}
