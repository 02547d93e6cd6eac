import { thumbHashToDataURL } from 'thumbhash'

/** Returns a CSS image of about 32 pixels for a ThumbHash in base64. */
export function placeholderImage(thumbHash: string): string {
  const bytes = Uint8Array.from(atob(thumbHash), (character) => character.charCodeAt(0))
  return `url("${thumbHashToDataURL(bytes)}")`
}
