import { translate } from '#messages/translate.ts'
import { cleanText } from '#server/images/names.ts'
import { CommandFailed } from '../command.ts'
import type { Api } from '../connection/api.ts'
import type { ServerConnection } from '../connection/connection.ts'

/** An album of the user, as commands need it. */
export interface Album {
  readonly id: string
  readonly title: string
}

type TitledAlbum = Awaited<ReturnType<Api['album']['list']['query']>>['items'][number]

const ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i
const PATH = /^\/a\/([A-Za-z0-9_-]{22})$/
/** The server searches a title for at most 200 UTF-16 units. */
const SEARCHED = 100

/** Finds an album that a user names by its ID, its address or its title. Throws CommandFailed if there is none, or if several have
 *  the title. */
export async function findAlbum(connection: ServerConnection, name: string): Promise<Album> {
  const found = await findNamed(connection, name)
  if (found) return found
  throw new CommandFailed('failed', translate('cli.albums.none', { name }))
}

/** The same, but an album with this title is created if there is none: private, as albums are unless their owner says otherwise. */
export function findOrCreateAlbum(connection: ServerConnection, name: string): Promise<Album> {
  const { api, patience, signal } = connection
  // The search is part of what is repeated: an answer may be lost after the album was created.
  return patience.run(async () => {
    const found = await findNamed(connection, name)
    return found ?? (await api.album.create.mutate({ title: name }, { signal }))
  })
}

async function findNamed(connection: ServerConnection, name: string): Promise<Album | null> {
  const { api, patience, signal, url } = connection
  const get = (key: { readonly id: string } | { readonly slug: string }) =>
    patience.run(() => api.album.get.query(key, { signal }))
  if (ID.test(name)) return get({ id: name.toLowerCase() })
  const address = URL.parse(name)
  const slug = address?.origin === url ? PATH.exec(address.pathname)?.[1] : undefined
  if (slug !== undefined) return get({ slug })
  const titled = await findTitled(connection, name)
  if (titled.length < 2) return titled[0] ?? null
  const ids = titled.map(({ id }) => id).join(', ')
  throw new CommandFailed('failed', translate('cli.albums.several', { name, ids }))
}

/** Returns the user's albums with this title, those changed last first. */
export async function findTitled(
  { api, patience, signal }: ServerConnection,
  name: string,
): Promise<readonly TitledAlbum[]> {
  const title = cleanText(name)
  const text = [...title].slice(0, SEARCHED).join('')
  const found: TitledAlbum[] = []
  let cursor: string | undefined
  do {
    const input = { scope: 'mine' as const, limit: 100, text, ...(cursor && { cursor }) }
    const { items, nextCursor } = await patience.run(() => api.album.list.query(input, { signal }))
    found.push(...items.filter((album) => album.title === title))
    cursor = nextCursor ?? undefined
  } while (cursor)
  return found
}
