import { thumbHashToAverageRGBA, thumbHashToDataURL } from 'thumbhash'

const toBytes = (thumbHash: string) => Uint8Array.from(atob(thumbHash), (character) => character.charCodeAt(0))

/** Returns a CSS image of about 32 pixels for a ThumbHash in base64. */
export const placeholderImage = (thumbHash: string): string => `url("${thumbHashToDataURL(toBytes(thumbHash))}")`

/** Returns the average colour of a ThumbHash in CSS: a hundred times shorter than the image, for lists that are sent as HTML. */
export function placeholderColour(thumbHash: string): string {
  const { r, g, b, a } = thumbHashToAverageRGBA(toBytes(thumbHash))
  const [red, green, blue] = [r, g, b].map((part) => Math.round(255 * part))
  return `rgb(${red} ${green} ${blue} / ${a.toFixed(2)})`
}
