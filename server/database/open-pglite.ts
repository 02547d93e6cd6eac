import { PGlite, types } from '@electric-sql/pglite'

/** Opens the embedded database in a folder, or makes it there.
 *
 *  PGlite has a parser for arrays of each type of the catalogue, some three hundred and one more for each table, and copies
 *  all of them for a query that brings parsers of its own, as Prisma's do: half of what such a query takes. So it keeps
 *  those of the types that it reads as something else than text, and of their arrays; any other array is given as text. */
export async function openPglite(folder: string): Promise<PGlite> {
  const pglite = await PGlite.create(folder)
  const elements = Object.keys(types.parsers)
  const { rows } = await pglite.query<{ type: number }>(
    'SELECT typarray AS type FROM pg_type WHERE typarray <> 0 AND oid::text = ANY ($1)',
    [elements],
  )
  const kept = new Set([...elements, ...rows.map(({ type }) => String(type))])
  pglite.parsers = Object.fromEntries(Object.entries(pglite.parsers).filter(([type]) => kept.has(type)))
  return pglite
}
