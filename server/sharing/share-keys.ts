import { createCipheriv, createDecipheriv, createHmac, hkdfSync, timingSafeEqual } from 'node:crypto'

/*
 * The addresses of a share's bytes, `/i/s/<key>/<image>.<ext>`. The key is derived from the share's ID, never from its token, and
 * shows that this site made it, so that a forged one costs no query. An image is named by its ID, encrypted for the share: the ID
 * itself would outlive the share as a way to an image that is not private.
 */
export interface ShareKeys {
  /** Returns 43 characters of base64url. */
  keyFor(shareId: string): string
  /** Returns the ID of the share; null for a key that this site has not made. */
  openKey(key: string): string | null
  /** Returns the image's name in addresses of the share: 22 characters of base64url. */
  nameFor(shareId: string, imageId: string): string
  /** Returns the ID that a name stands for. Any other name stands for an ID that no image has. */
  openName(shareId: string, name: string): string
}

const ID_BYTES = 16
const CIPHER = 'aes-256-ecb'

export function createShareKeys(secret: string): ShareKeys {
  const derive = (purpose: string) => Buffer.from(hkdfSync('sha256', secret, '', purpose, 32))
  const [keyKey, nameKey] = [derive('sluice share keys'), derive('sluice names of shared images')]
  const sign = (id: Buffer) => createHmac('sha256', keyKey).update(id).digest().subarray(0, ID_BYTES)
  // A single block, so that a name is as short as an ID; the share's ID makes it differ from share to share.
  const encrypt = (block: Buffer) => createCipheriv(CIPHER, nameKey, null).setAutoPadding(false).update(block)
  const decrypt = (block: Buffer) => createDecipheriv(CIPHER, nameKey, null).setAutoPadding(false).update(block)
  return {
    keyFor(shareId) {
      const id = toBytes(shareId)
      return Buffer.concat([id, sign(id)]).toString('base64url')
    },
    openKey(key) {
      const bytes = Buffer.from(key, 'base64url')
      if (bytes.length !== 2 * ID_BYTES) return null
      const id = bytes.subarray(0, ID_BYTES)
      return timingSafeEqual(sign(id), bytes.subarray(ID_BYTES)) ? toId(id) : null
    },
    nameFor: (shareId, imageId) => encrypt(mix(toBytes(imageId), toBytes(shareId))).toString('base64url'),
    openName: (shareId, name) => toId(mix(decrypt(Buffer.from(name, 'base64url')), toBytes(shareId))),
  }
}

const toBytes = (id: string): Buffer => Buffer.from(id.replaceAll('-', ''), 'hex')

const toId = (bytes: Buffer): string =>
  bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')

const mix = (one: Buffer, other: Buffer): Buffer => Buffer.from(one.map((byte, at) => byte ^ (other[at] ?? 0)))
