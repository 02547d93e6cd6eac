import { translate } from '#messages/translate.ts'
import type { ImageItem } from '#server/images/image-item.ts'
import { CommandFailed } from '../command.ts'
import type { ServerConnection } from '../connection/connection.ts'

/** An image in a call to the server. */
export type ImageKey = { readonly id: string } | { readonly slug: string }

const ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i
const SLUG = /^[A-Za-z0-9_-]{22}$/
const PATH = /^\/(?:i|image)\/([A-Za-z0-9_-]{22})(?:\.[a-z0-9]+)?$/

/** Parses an image as people name it: an id, a slug, or an address on this server. Throws CommandFailed for anything else. */
export function readKey(text: string, url: string): ImageKey {
  if (ID.test(text)) return { id: text.toLowerCase() }
  if (SLUG.test(text)) return { slug: text }
  const address = URL.parse(text)
  const slug = PATH.exec(address?.pathname ?? '')?.[1]
  if (!address || slug === undefined) throw new CommandFailed('usage', translate('cli.transfer.notImage', { text }))
  if (address.origin !== url)
    throw new CommandFailed('usage', translate('cli.connection.otherServer', { address: text, url }))
  return { slug }
}

/** Returns an image. Throws ItemFailed if it does not exist. */
export function findImage({ api, patience, signal }: ServerConnection, key: ImageKey): Promise<ImageItem> {
  return patience.run(() => api.image.get.query(key, { signal }))
}
