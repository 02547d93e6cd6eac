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
    | 'secondFactor'
    | 'passwords'
    | 'gallery'
    | 'defaultVisibility'
    | 'maxUploadBytes'
  > {
  /** Whether guests may upload, each image after an admin's approval or at once, and for how long it is kept. */
  readonly guestUpload: SiteValues['guests']['upload']
  readonly guestDays: number
  /** Whether the site sends mail. */
  readonly hasMail: boolean
  readonly setupNeeded: boolean
}

export async function readPublicSite({ site, db }: Pick<Services, 'site' | 'db'>): Promise<PublicSite> {
  const {
    quotaBytes: _,
    trashDays: __,
    auditDays: ___,
    cacheSeconds: ____,
    webhook: _____,
    mail,
    guests,
    ...open
  } = site.read()
  const setupNeeded = !(await hasUsers(db))
  return { ...open, guestUpload: guests.upload, guestDays: guests.days, hasMail: mail !== null, setupNeeded }
}
