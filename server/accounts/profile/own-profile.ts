import { personalProcedure } from '#server/trpc/init.ts'
import { accountView } from '../limits.ts'

/** What is stored of a profile. */
export const profileColumns = { isOpen: true, name: true, line: true } as const

/** Returns the viewer's profile and its address; null if there has never been one. The address works while the profile is open and the
 *  site has a public gallery. */
export const ownProfile = personalProcedure.meta({ limits: accountView }).query(async ({ ctx: { app, viewer } }) => {
  const profile = await app.db.profile.findUnique({ where: { userId: viewer.userId }, select: profileColumns })
  return { profile, address: `${app.config.origin}/u/` }
})
