/* The shapes of many images as text, two characters each: enough to lay out a gallery before any of them is loaded.

   A shape is the ratio of width to height, on a logarithmic scale of 4,096 steps from 1:16 (0) to 16:1 (4,095), which is exact to a
   thousandth; what is beyond counts as the end. Each step is written as two digits to the base of 64, the higher first. */

/** The digits, in order: those of base64url. */
export const SHAPE_DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'

/** The widest ratio. */
export const WIDEST_SHAPE = 16

/** The number of the last step. */
export const LAST_STEP = SHAPE_DIGITS.length ** 2 - 1

/** Returns the ratios of width to height. */
export function readShapes(text: string): number[] {
  return Array.from({ length: Math.floor(text.length / 2) }, (_, at) => {
    const step = digitAt(text, 2 * at) * SHAPE_DIGITS.length + digitAt(text, 2 * at + 1)
    return WIDEST_SHAPE ** ((2 * step) / LAST_STEP - 1)
  })
}

const digitAt = (text: string, at: number): number => SHAPE_DIGITS.indexOf(text.charAt(at))
