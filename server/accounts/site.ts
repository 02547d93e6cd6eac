import type { Services } from '#server/services.ts'
import { hasUsers } from './owner.ts'

/** The settings that pages need before sign-in. */
export interface Site {
  readonly signup: 'closed' | 'invite' | 'open'
  /** Whether guests may browse the public images. */
  readonly gallery: boolean
  readonly setupNeeded: boolean
  readonly maxUploadBytes: number
  readonly defaultVisibility: 'private' | 'link' | 'public'
}

export async function readSite({ config, db }: Services): Promise<Site> {
  const { signup, gallery, maxUploadBytes, defaultVisibility } = config
  return { signup, gallery, setupNeeded: !(await hasUsers(db)), maxUploadBytes, defaultVisibility }
}
