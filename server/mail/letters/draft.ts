import { type Formats, formatsFor } from '#format/formats.ts'
import type { Locale } from '#format/locale.ts'
import { type Translate, translatorFor } from '#messages/translate.ts'
import { createOneTimeLink, type LinkPurpose } from '#server/accounts/links/one-time-link.ts'
import type { Config } from '#server/config.ts'
import type { PrismaClient } from '#server/database/database.ts'
import { transact } from '#server/database/transact.ts'
import { refuse } from '#server/errors/refuse.ts'
import type { Site } from '#server/site/site.ts'
import type { Receiver } from '../receiver.ts'
import type { Content } from '../render.ts'

/** What letters are written with. */
export interface Desk {
  readonly db: PrismaClient
  readonly site: Pick<Site, 'read'>
  /** Links are made of the site's own origin: no header of a request decides where they lead. */
  readonly config: Pick<Config, 'origin' | 'secret'>
}

/** A letter with its receiver. */
export interface Draft {
  readonly to: string
  readonly locale: Locale
  /** Says what the mail says, and makes the link that it has: call it only to send the mail. */
  write(): Promise<Content>
}

/** What says sentences and writes values in a letter's language. */
export interface Pen {
  readonly say: Translate
  readonly format: Formats
  readonly siteName: string
}

type Write = (pen: Pen) => Content | Promise<Content>

/** Drafts a letter in a language, or in the site's (null). */
export function draftIn({ site }: Desk, to: string, locale: Locale | null, write: Write): Draft {
  const { name: siteName, language } = site.read()
  const chosen = locale ?? language
  const pen = { say: translatorFor(chosen), format: formatsFor(chosen), siteName }
  return { to, locale: chosen, write: async () => write(pen) }
}

/** Drafts a letter to the owner of an account. `write` leaves out why they get it. */
export const draftTo = (desk: Desk, { email, locale }: Receiver, write: (pen: Pen) => Unsigned | Promise<Unsigned>) =>
  draftIn(desk, email, locale, async (pen) => ({
    ...(await write(pen)),
    why: pen.say('mail.whyAccount', { site: pen.siteName }),
  }))

export type Unsigned = Omit<Content, 'why'>

/**
 * Makes a link that acts for an account, and returns its address. Links that were mailed before stay valid until one is used: whoever
 * asks for another in somebody's name takes none from them. Throws if the account's address is another one by now, so that nobody gets
 * a link who does not read it.
 */
export async function makeLink(
  { db, config }: Desk,
  purpose: LinkPurpose,
  { userId, email }: Pick<Receiver, 'userId' | 'email'>,
): Promise<string> {
  const { link } = await transact(db, async (tx) => {
    await tx.$queryRaw`SELECT 1 FROM "User" WHERE "id" = ${userId}::uuid FOR NO KEY UPDATE`
    const address = purpose === 'email' ? { pendingEmail: email } : { email }
    if ((await tx.user.count({ where: { id: userId, ...address } })) === 0) throw refuse('email-changed')
    return createOneTimeLink(tx, { purpose, userId, createdById: null, isMailed: true })
  })
  return `${config.origin}/${purpose}/${link}`
}
