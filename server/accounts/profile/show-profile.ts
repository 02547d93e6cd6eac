import { z } from 'zod'
import { refuse } from '#server/errors/refuse.ts'
import { publicProcedure } from '#server/trpc/init.ts'
import { profileView } from './limits.ts'
import { picturePath } from './picture.ts'
import { profileNameSchema } from './profile-name.ts'

/** Any text as a name, so that every address without a profile is answered alike. */
const input = z.union([z.strictObject({ name: z.string().max(200) }), z.strictObject({ owner: z.uuid() })])

/** A profile as everybody sees it. */
export interface PublicProfile {
  /** Whose images and albums are listed. */
  readonly owner: string
  /** The end of its address. */
  readonly name: string
  readonly displayName: string | null
  /** The path of the picture; null without one. */
  readonly picture: string | null
  readonly line: string
}

/** Returns an open profile. Throws the same NOT_FOUND for one that is closed, of a banned or shared account, or of nobody, and for all
 *  where the site has no public gallery. */
export const showProfile = publicProcedure
  .meta({ limits: profileView })
  .input(input)
  .query(async ({ ctx: { app }, input }): Promise<PublicProfile> => {
    // No profile has a name that is not valid.
    const name = 'name' in input ? profileNameSchema.safeParse(input.name).data : undefined
    const wanted = 'owner' in input ? { userId: input.owner } : { name: name ?? '' }
    const found = await app.db.profile.findFirst({
      where: { ...wanted, isOpen: true, user: { bannedAt: null, shared: false } },
      select: { userId: true, name: true, line: true, user: { select: { displayName: true, pictureHash: true } } },
    })
    if (!found || !app.site.read().gallery) throw refuse('profile-not-found')
    const { userId: owner, line, user } = found
    return { owner, name: found.name, displayName: user.displayName, picture: picturePath(user.pictureHash), line }
  })
