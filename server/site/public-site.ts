import { hasUsers } from '#server/accounts/owner.ts'
import type { Services } from '#server/services.ts'
import type { SiteValues } from './settings.ts'

/** What everybody may know of the site's settings. */
export interface PublicSite
  extends Pick<
    SiteValues,
    | 'name'
    | 'tagline'
    | 'accent'
    | 'footer'
    | 'logo'
    | 'icon'
    | 'language'
    | 'indexing'
    | 'signup'
    | 'gallery'
    | 'defaultVisibility'
    | 'maxUploadBytes'
  > {
  readonly setupNeeded: boolean
}

export async function readPublicSite({ site, db }: Pick<Services, 'site' | 'db'>): Promise<PublicSite> {
  const { quotaBytes: _, trashDays: __, auditDays: ___, cacheSeconds: ____, webhook: _____, ...open } = site.read()
  return { ...open, setupNeeded: !(await hasUsers(db)) }
}
