import { z } from 'zod'
import { periods, units } from '#server/budgets/budget.ts'
import { shareLimits } from '#server/sharing/limits.ts'

const at = z.iso.datetime()
const userId = z.uuid()

/** What a security note can be about. */
export const noteTopics = [
  'password',
  'app-set',
  'app-removed',
  'factors-ended',
  'recovery-codes',
  'recovery-code-used',
  'passkey-added',
  'passkey-removed',
  'provider-linked',
  'provider-unlinked',
] as const
export type NoteTopic = (typeof noteTopics)[number]

const amounts = { limit: z.number(), used: z.number() }

/**
 * A mail to write, as its job keeps it until it is sent. Job tables are in reach of whoever reads the database, so a letter has no
 * link that gives rights: such a link is made when the mail is sent, and a code that exists already is sealed.
 */
export const letter = z.discriminatedUnion('kind', [
  /** Somebody has asked for a new password of the account with this name or address, if there is one. */
  z.strictObject({ kind: z.literal('reset'), sealedLogin: z.string(), at }),
  z.strictObject({ kind: z.literal('confirm'), userId, email: z.string() }),
  z.strictObject({ kind: z.literal('note'), userId, topic: z.enum(noteTopics), at, address: z.string() }),
  z.strictObject({ kind: z.literal('device'), userId, userAgent: z.string(), at, address: z.string() }),
  /** To the address that an account had before. */
  z.strictObject({ kind: z.literal('moved'), userId, email: z.string(), at, address: z.string() }),
  z.strictObject({
    kind: z.literal('invite'),
    email: z.string(),
    sealedCode: z.string(),
    inviteId: z.uuid(),
    until: at,
  }),
  z.strictObject({
    kind: z.literal('budget'),
    userId,
    state: z.enum(['near', 'spent']),
    period: z.enum(periods),
    unit: z.enum(units),
    ...amounts,
  }),
  z.strictObject({
    kind: z.literal('share'),
    userId,
    state: z.enum(['near', 'spent']),
    shareId: z.uuid(),
    limitName: z.enum(shareLimits),
    ...amounts,
  }),
])

export type Letter = z.infer<typeof letter>
export type LetterOf<Kind extends Letter['kind']> = Extract<Letter, { readonly kind: Kind }>
