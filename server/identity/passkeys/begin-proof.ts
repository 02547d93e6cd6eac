import { refuse } from '#server/errors/refuse.ts'
import { personalProcedure } from '#server/trpc/init.ts'
import { passkeyChallenge } from '../limits.ts'
import { aboutProof, createChallenge, saveChallenge } from './challenges.ts'
import { askPasskeysOf } from './request-options.ts'

/** Begins to prove by one of the account's passkeys who uses the session. Returns what to ask the browser for. */
export const beginPasskeyProof = personalProcedure
  .meta({ limits: passkeyChallenge, audit: { none: 'it proves nothing yet' } })
  .mutation(async ({ ctx }) => {
    const { userId, sessionId } = ctx.viewer
    const challenge = createChallenge()
    const options = await askPasskeysOf(ctx.app, userId, challenge)
    if (!options) throw refuse('no-passkey-here')
    await saveChallenge(ctx.app.db, challenge, aboutProof(sessionId ?? ''))
    return options
  })
