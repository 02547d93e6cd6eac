import { thumbHashToDataURL } from 'thumbhash'

/** A picture of some 32 pixels from a ThumbHash in base64, as a CSS image. */
export function placeholderImage(thumbHash: string): string {
  const bytes = Uint8Array.from(atob(thumbHash), (character) => character.charCodeAt(0))
  return `url("${thumbHashToDataURL(bytes)}")`
}
