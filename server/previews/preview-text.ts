import { cleanLine } from '#server/accounts/profile/clean-line.ts'

/** The longest description in a preview, in characters; chat programs show about as much. */
const MAX_DESCRIPTION = 300

/** Returns text as a preview shows it: one line, without direction marks and what is not printed. */
export const previewLine = (text: string): string => cleanLine(text)

/** Returns the beginning of a description as one line, cut between words where there are any. */
export function previewDescription(text: string): string {
  const characters = [...cleanLine(text)]
  if (characters.length <= MAX_DESCRIPTION) return characters.join('')
  const start = characters.slice(0, MAX_DESCRIPTION - 1).join('')
  return `${start.replace(/(?<=.{200})\s\S*$/su, '').trimEnd()}…`
}
