import { z } from 'zod'

/** Control, format and unassigned characters: marks that turn the direction of what follows, zero-width characters that
 *  make two different names look the same, and tags. Joiners, which scripts and emoji need, are allowed. */
const HIDDEN =
  /[\p{Cc}\p{Co}\p{Cn}\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufff9-\ufffb\u{e0000}-\u{e0fff}]/u

/** Marks stacked on one letter, which would cover the lines above and below. */
const STACKED = /\p{M}{5}/u

const VISIBLE = /[\p{L}\p{N}\p{P}\p{S}]/u

/** A line of text of up to `max` characters, shown as text everywhere. White space is collapsed. */
export const lineOfText = (max: number) =>
  z.string().transform((text, ctx) => {
    const line = text.normalize('NFC').replace(/\s+/gu, ' ').trim()
    const problem = findProblem(line, max)
    if (problem === null) return line
    ctx.addIssue(problem)
    return z.NEVER
  })

function findProblem(line: string, max: number): string | null {
  if (!line.isWellFormed() || HIDDEN.test(line) || STACKED.test(line)) return 'has hidden or stacked characters'
  if (line !== '' && !VISIBLE.test(line)) return 'must have a visible character'
  return Array.from(line).length > max ? `must have at most ${max} characters` : null
}
