import { z } from 'zod'

/** A file that a guest's form has sent, for the page that lists them. */
const sent = z.array(
  z.union([
    z.object({
      name: z.string(),
      slug: z.string(),
      /** The secret part of the deletion link. */
      link: z.string(),
      /** ISO 8601. */
      endsAt: z.string(),
      awaits: z.boolean(),
    }),
    z.object({ name: z.string(), problem: z.string() }),
  ]),
)

export type SentFile = z.output<typeof sent>[number]

const NAME = 'sluice.sent'

/** How long the page lists them (s). */
const SHOWN_SECONDS = 15 * 60

/** Browsers keep cookies of up to 4,096 bytes. */
const MOST_BYTES = 3_600
const NAME_LETTERS = 60

/** Returns the Set-Cookie header that lists files on the page to upload from, and on no other: deletion links must not stand in an
 *  address. */
export function writeSent(files: readonly SentFile[]): string {
  const short = files.map((file) => ({ ...file, name: file.name.slice(0, NAME_LETTERS).toWellFormed() }))
  const full = encode(short)
  const value = full.length <= MOST_BYTES ? full : encode(short.map((file) => ({ ...file, name: '' })))
  return `${NAME}=${value}; Path=/upload; Max-Age=${SHOWN_SECONDS}; HttpOnly; SameSite=Lax`
}

const encode = (files: readonly SentFile[]): string => Buffer.from(JSON.stringify(files)).toString('base64url')

/** Returns the files of a Cookie header; none if somebody has tampered with it. */
export function readSent(cookie: string | null): readonly SentFile[] {
  const [, value] = /(?:^|;\s*)sluice\.sent=([\w-]+)/.exec(cookie ?? '') ?? []
  try {
    return sent.parse(JSON.parse(Buffer.from(value ?? '', 'base64url').toString()))
  } catch {
    return []
  }
}
