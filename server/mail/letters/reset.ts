import { usernameKey } from '#server/accounts/credentials.ts'
import { parseEmail } from '#server/accounts/email/address.ts'
import { openSecret } from '#server/identity/seal.ts'
import type { LetterOf } from '../letter.ts'
import { findReceiver } from '../receiver.ts'
import { type Desk, type Draft, draftTo, makeLink } from './draft.ts'

/** How long after it was asked for a link is still sent. */
const HOUR_MS = 60 * 60_000

/** The account is looked up here, not where it is asked for: there, the time that it takes would tell whether it exists. */
export async function draftReset(desk: Desk, { sealedLogin, at }: LetterOf<'reset'>): Promise<Draft | null> {
  const login = openSecret(desk.config, sealedLogin, 'reset')
  if (login === null || Date.now() - Date.parse(at) > HOUR_MS) return null
  const email = parseEmail(login)
  const receiver = await findReceiver(desk.db, email ? { emailKey: email.key } : { usernameKey: usernameKey(login) })
  if (!receiver) return null
  const { username } = receiver
  return draftTo(desk, receiver, async ({ say }) => ({
    title: say('mail.reset.title'),
    paragraphs: [say('mail.reset.text', { username })],
    link: { label: say('mail.reset.link'), url: await makeLink(desk, 'password', receiver) },
    after: [say('mail.reset.until'), say('mail.reset.ignore')],
  }))
}
