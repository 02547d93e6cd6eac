import { Prisma } from '../../../generated/prisma/client.ts'
import { formats } from '../format.ts'
import type { ImageQuery } from './query.ts'
import type { Word } from './words.ts'

/* The terms of the GIN index on images, which the function image_terms makes (the migration image_search): what a query asks for
   as a tsquery. It finds at least the images that match; the conditions of a selection decide which do. */

/** The indexed expression, of the row `image`. */
const indexed = Prisma.sql`"image_terms"("image"."searchText", "image"."ownerId", "image"."filedUnder", "image"."mime",
  "image"."visibility", "image"."width", "image"."height", "image"."size")`

/** Returns the condition that the index answers; null if no term narrows the list. */
export function indexCondition(terms: readonly string[]): Prisma.Sql | null {
  return terms.length === 0 ? null : Prisma.sql`${indexed} @@ ${terms.join(' & ')}::text::tsquery`
}

const quote = (term: string): string => `'${term.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`

export const ownerTerm = (id: string): string => quote(` o${id}`)

export const publicTerm: string = quote(' vpublic')

/** Returns a term that images under any of these tags have; there is at least one. */
export const filedTerm = (ids: readonly string[]): string => `(${ids.map((id) => quote(` f${id}`)).join(' | ')})`

/** Returns what images that have the word have; null if too many tags, albums or owners have it to name them all. */
export function wordTerm({ key, filed, owners }: Word): string | null {
  if (filed === 'many' || owners === 'many') return null
  const others = [...filed.map((id) => quote(` f${id}`)), ...owners.map(ownerTerm)]
  return `(${[textTerm(key), ...others].join(' | ')})`
}

/** The three letters from each letter of a word on are terms; one or two are the beginning of some. */
function textTerm(key: string): string {
  const letters = [...key]
  if (letters.length < 3) return `${quote(key)}:*`
  const grams = new Set(letters.slice(2).map((_, at) => letters.slice(at, at + 3).join('')))
  return `(${[...grams].map(quote).join(' & ')})`
}

export function fieldTerms({ type, visibility, shape, size }: ImageQuery): string[] {
  return [
    ...(type ? [` m${formats[type].mime}`] : []),
    ...(visibility ? [` v${visibility}`] : []),
    ...(shape ? [` s${shape}`] : []),
    ...(size ? [` b${size}`] : []),
  ].map(quote)
}
