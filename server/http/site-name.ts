import type { Server, ServerResponse } from 'node:http'
import type { SiteValues } from '#server/site/settings.ts'

/** How a site looks where it answers a problem, and whether guests may see its images. */
export type SiteName = Pick<SiteValues, 'name' | 'logo' | 'accent' | 'gallery'>

const names = new WeakMap<object, () => SiteName>()

/** Sets how the pages that a server answers problems with learn the name of the site. */
export const nameSite = (server: Server, read: () => SiteName): void => void names.set(server, read)

/** Returns the name of the site that answers. */
export function siteName({ req }: Pick<ServerResponse, 'req'>): SiteName {
  const server: unknown = Reflect.get(req.socket, 'server')
  const read = typeof server === 'object' && server !== null ? names.get(server) : undefined
  return read?.() ?? { name: 'Sluice', logo: null, accent: null, gallery: false }
}
