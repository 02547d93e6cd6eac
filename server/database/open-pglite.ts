import { setFlagsFromString } from 'node:v8'
import { PGlite, types } from '@electric-sql/pglite'

/** PGlite fills its buffers with zeros at each start. By default they are 128 MB: as much CPU as the rest of opening it, and memory
 *  that the operating system's own cache of these files uses better. */
const BUFFERS = ['-c', 'shared_buffers=32MB']

/** V8 optimizes a function of WebAssembly after this many of its bytes have run, by default 13 MB. What runs at a start alone is not worth
 *  it: that took a fifth of a start's CPU. What a site keeps busy is optimized all the same, a little later. */
const OPTIMIZE_AFTER = '--wasm-tiering-budget=250000000'

/** Opens the embedded database in a folder, creating it if necessary. PGlite has a parser for arrays of each type in
 *  the catalogue, about three hundred plus one per table, and copies all of them for every query with parsers of its
 *  own, as Prisma's are: half the cost of such a query. This keeps only those for types that are not read as text, and
 *  arrays of these; other arrays are returned as text. */
export async function openPglite(folder: string): Promise<PGlite> {
  setFlagsFromString(OPTIMIZE_AFTER)
  const pglite = await PGlite.create(folder, { startParams: [...PGlite.defaultStartParams, ...BUFFERS] })
  const elements = Object.keys(types.parsers)
  const { rows } = await pglite.query<{ type: number }>(
    'SELECT typarray AS type FROM pg_type WHERE typarray <> 0 AND oid::text = ANY ($1)',
    [elements],
  )
  const kept = new Set([...elements, ...rows.map(({ type }) => String(type))])
  pglite.parsers = Object.fromEntries(Object.entries(pglite.parsers).filter(([type]) => kept.has(type)))
  return pglite
}
