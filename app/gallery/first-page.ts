import { headers } from 'next/headers'
import { callerOfRequest, siteOfRequest, viewerOfRequest } from '#app/viewer.ts'
import type { ListPlace } from './list-place.ts'
import { chooseScope, listScopes } from './scopes.ts'

/** What fills the screen of a phone twice, and one of a desktop: whatever more is sent has to be made ready before it is seen. */
const PAGE_SIZE = { phone: 20, desktop: 40 }

/** The parameters of a gallery's address. */
export type GalleryAddress = Readonly<Partial<Record<string, string | readonly string[]>>>

/** Returns the first page of the list that an address names, for the server to render; null if the address asks for another part or
 *  order of it, or it could not be read: the page's script then asks for it, and says why not. */
export async function firstPage({ scope, by, ...others }: GalleryAddress) {
  if (Object.keys(others).length > 0 || (by !== undefined && by !== 'taken')) return null
  const [viewer, site, { image }] = await Promise.all([viewerOfRequest(), siteOfRequest(), callerOfRequest()])
  const place: ListPlace = {
    scope: chooseScope(listScopes(viewer, site.gallery), scope),
    trash: false,
    ...(by && { by }),
  }
  try {
    return { place, ...(await image.list({ ...place, limit: PAGE_SIZE[await deviceOfRequest()] })) }
  } catch {
    return null
  }
}

/** Phones name themselves so in every browser (MDN, "Browser detection using the user agent"). */
const deviceOfRequest = async () => (/\bMobi/.test((await headers()).get('user-agent') ?? '') ? 'phone' : 'desktop')
