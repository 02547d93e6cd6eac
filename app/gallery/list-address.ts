import { readFinding, toInput } from './finding/finding.ts'
import type { ListPlace, ListScope } from './list-place.ts'
import { chooseScope } from './scopes.ts'

/** What image.neighbours takes of a list: without a scope an album as it is on its own page. */
export type BrowsedList = Omit<ListPlace, 'scope'> & { readonly scope?: ListScope }

/** Returns what the address of an image says of the gallery from which it is opened, for its page to find the list again: also
 *  after a reload, and for others. A place in the list is left out. */
export function writeList(gallery: URLSearchParams): string {
  const params = new URLSearchParams(gallery)
  params.delete('at')
  // Without an order, an album is shown as on its own page.
  if (params.has('album') && !params.has('sort')) params.set('sort', 'newest')
  return params.size > 0 ? `?${params}` : ''
}

/** Returns the list that an image's address names, of the scopes that the viewer can choose from; their own images unless said. */
export function readList(params: URLSearchParams, scopes: readonly ListScope[], isTrashed: boolean): BrowsedList {
  const album = ownPageOf(params)
  if (album !== null) return { trash: false, query: { album } }
  const scope = chooseScope(scopes, params.get('scope'))
  const { query, sort, by } = toInput(readFinding(params))
  return {
    scope: isTrashed && scope === 'gallery' ? 'mine' : scope,
    trash: isTrashed,
    ...(query && Object.keys(query).length > 0 && { query }),
    ...(sort && { sort }),
    ...(by && { by }),
  }
}

/** Returns the address of a list that an image's address names. */
export function addressOfList(params: URLSearchParams, isTrashed: boolean): string {
  const album = ownPageOf(params)
  if (album !== null) return `/albums/${album}`
  const search = params.toString()
  return `${isTrashed ? '/trash' : '/'}${search && `?${search}`}`
}

/** Returns the album whose page the image was opened from. */
const ownPageOf = (params: URLSearchParams): string | null =>
  params.size === 1 ? (readFinding(params).query.album ?? null) : null
