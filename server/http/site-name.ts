import type { Server, ServerResponse } from 'node:http'

const names = new WeakMap<object, () => string>()

/** Sets how the pages that a server answers problems with learn the name of the site. */
export const nameSite = (server: Server, read: () => string): void => void names.set(server, read)

/** Returns the name of the site that answers. */
export function siteName({ req }: Pick<ServerResponse, 'req'>): string {
  const server: unknown = Reflect.get(req.socket, 'server')
  const read = typeof server === 'object' && server !== null ? names.get(server) : undefined
  return read?.() ?? 'Sluice'
}
