import { z } from 'zod'
import { refuse } from '#server/errors/refuse.ts'
import { sealSecret } from '#server/identity/seal.ts'
import { publicProcedure } from '#server/trpc/init.ts'
import { usernameKey } from '../credentials.ts'
import { parseEmail } from './address.ts'
import { passwordRequest, passwordRequestByAccount } from './limits.ts'

const input = z.strictObject({
  /** A user name or an address, in the one spelling that is counted. */
  login: z
    .string()
    .trim()
    .max(300)
    // The job that looks for it would fail over and over.
    .regex(/^[^\p{Cc}\p{Cs}]*$/u)
    .transform((text) => parseEmail(text)?.key ?? usernameKey(text)),
})

/** Has a link that sets a new password mailed to an account's address. The answer, and the time that it takes, are the same whether there
 *  is such an account: a job looks for it. */
export const forgotPassword = publicProcedure
  .meta({ limits: passwordRequest, audit: { none: 'anybody may ask; using the link is recorded' } })
  .input(input)
  .mutation(async ({ ctx, input: { login } }) => {
    const { config, mail, site } = ctx.app
    const { mail: isOn, passwords } = site.read()
    if (!isOn) throw refuse('mail-off')
    if (!passwords) throw refuse('passwords-off')
    await ctx.chargeFor([
      { procedure: passwordRequestByAccount.label, sets: passwordRequestByAccount.sets, caller: { subject: login } },
    ])
    // People type passwords where a name belongs.
    const sealedLogin = sealSecret(config, login, 'reset')
    await mail.send(null, { kind: 'reset', sealedLogin, at: new Date().toISOString() })
    return {}
  })
