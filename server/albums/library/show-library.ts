import { personalProcedure } from '#server/trpc/init.ts'
import { libraryView } from './limits.ts'
import { type ExportedAlbum, type ExportedView, readAlbums, readTagNames, readViews } from './read-library.ts'

interface Library {
  readonly albums: readonly ExportedAlbum[]
  readonly tags: readonly string[]
  readonly views: readonly ExportedView[]
}

/** Returns what an export has of the viewer's albums, tags and saved searches, beside what each image says: `library.places` has the images. */
export const showLibrary = personalProcedure
  .meta({ limits: libraryView, scope: 'read' })
  .query(async ({ ctx }): Promise<Library> => {
    const { db } = ctx.app
    const { userId } = ctx.viewer
    const [albums, tags, views] = await Promise.all([
      readAlbums(db, userId),
      readTagNames(db, userId),
      readViews(db, userId),
    ])
    return { albums, tags, views }
  })
