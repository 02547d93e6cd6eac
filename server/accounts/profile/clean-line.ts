/** Marks beyond the third on one letter, which cover the lines above and below. */
const STACKED_MARKS = /(\p{M}{3})\p{M}+/gu

/** Joiners that form letters and emoji, where they stand between two of them. */
const IDLE_JOINERS =
  /(?<![\p{L}\p{M}\p{Extended_Pictographic}])[\u200c\u200d]|[\u200c\u200d](?![\p{L}\p{Extended_Pictographic}])/gu

/** What is not printed: controls, direction marks and overrides, blanks that are no spaces, and what is not assigned. Joiners
 *  and the variants of emoji stay. */
const UNPRINTED = /(?!\u200c|\u200d|\ufe0e|\ufe0f)[\p{C}\p{Default_Ignorable_Code_Point}\u2800]/gu

/** Returns text as one line without what is not printed. */
export function cleanLine(text: string): string {
  const line = text
    .toWellFormed()
    .normalize('NFC')
    .replaceAll(/[\p{Z}\s]+/gu, ' ')
  return line
    .replaceAll(UNPRINTED, '')
    .replaceAll(IDLE_JOINERS, '')
    .replaceAll(STACKED_MARKS, '$1')
    .replaceAll(/ +/g, ' ')
    .trim()
}
