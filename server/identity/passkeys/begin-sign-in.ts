import { randomBytes } from 'node:crypto'
import { z } from 'zod'
import { publicProcedure } from '#server/trpc/init.ts'
import { passkeySignIn } from '../limits.ts'
import { aboutSignIn, createChallenge, saveChallenge } from './challenges.ts'
import { askAnyPasskey } from './request-options.ts'

const input = z.strictObject({
  /** The name that the browser was given by an earlier call, so that a second page of it does not end what the first one began. */
  browser: z.base64url().min(20).max(100).optional(),
})

/** Begins a sign-in by a passkey alone. Returns what to ask the browser for, and the name that the browser has to give with the answer. */
export const beginPasskeySignIn = publicProcedure
  .meta({ limits: passkeySignIn, audit: { none: 'it signs nobody in; the sign-in is recorded' } })
  .input(input)
  .mutation(async ({ ctx, input: { browser = randomBytes(32).toString('base64url') } }) => {
    const { db, config } = ctx.app
    const challenge = createChallenge()
    await saveChallenge(db, challenge, aboutSignIn(browser))
    return { browser, options: askAnyPasskey(config, challenge) }
  })
