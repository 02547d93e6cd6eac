import { z } from 'zod'
import { cleanLine } from '#server/accounts/profile/clean-line.ts'
import { isSuperadmin, type Viewer } from '#server/accounts/viewer.ts'
import { invalid } from '#server/errors/invalid.ts'
import { refuse } from '#server/errors/refuse.ts'
import { listed } from '#server/images/listing/query.ts'

/** The maximum number of views of a user, and of characters of a name. */
export const MAX_VIEWS = 100
const MAX_NAME = 64

export const viewName = z
  .string()
  .max(1_000)
  .transform(cleanLine)
  .pipe(z.string().min(1, invalid('viewName')).max(MAX_NAME, invalid('viewNameTooLong')))

/** What a view shows, as `image.list` takes it. */
export const viewTerms = z.strictObject(listed)

export interface ViewItem {
  readonly id: string
  readonly name: string
  readonly terms: z.output<typeof viewTerms>
}

export const viewColumns = { id: true, name: true, terms: true } as const

/** Returns a view as procedures do. What this version cannot read of it shows everything. */
export function toView({ id, name, terms }: { id: string; name: string; terms: unknown }): ViewItem {
  const read = viewTerms.safeParse(terms)
  return { id, name, terms: read.success ? read.data : viewTerms.parse({}) }
}

export const noView = () => refuse('view-not-found')

/** The view that the viewer may change: their own, or for a superadmin any. */
export const changeableView = (viewer: Viewer, id: string) => ({
  id,
  ...(!isSuperadmin(viewer) && { userId: viewer.userId }),
})
