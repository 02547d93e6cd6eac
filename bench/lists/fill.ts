import { Client } from 'pg'
import { CLEANING_VERSION } from '../../server/cleaning/cleaning.ts'

export interface Share {
  readonly owner: string
  /** The number of the owner's first image. */
  readonly first: number
  readonly count: number
}

/** Words of titles, by how many images of a million have them; those of the attic are the oldest. Half of them are taken years before
 *  they are uploaded, in another order, and sizes are in none. */
export const words = {
  one: 'zeppelin',
  thousand: 'lighthouse',
  tenth: 'harbour',
  oldest: 'attic',
  all: 'photograph',
} as const

/** Uses a separate connection, because the server's statements have a shorter timeout. The index of terms is made afresh, which is
 *  faster than adding each to it. */
export async function fill(databaseUrl: string, shares: readonly Share[]): Promise<void> {
  const client = new Client({ connectionString: databaseUrl })
  await client.connect()
  const { rows } = await client.query(`SELECT pg_get_indexdef('"Image_terms_idx"'::regclass) AS "definition"`)
  await client.query('DROP INDEX "Image_terms_idx"')
  for (const share of shares) await client.query(insertion(share))
  for (const { definition } of rows) await client.query(definition)
  await client.query('VACUUM ANALYZE')
  await client.end()
}

function insertion({ owner, first, count }: Share): string {
  return `
    WITH "numbers" AS (SELECT n, encode(sha256(n::text::bytea), 'hex') AS "hash" FROM generate_series(${first}, ${first + count - 1}) AS n),
    "objects" AS (
      INSERT INTO "StoredObject" ("sha256", "size", "cleaning", "placeholder", "variants")
      SELECT "hash", 100000 + n % 3000000, ${CLEANING_VERSION}, 'HBkSHYSIeHiPiHh8eJd4eTN0EEQG',
        jsonb_build_array(jsonb_build_object('width', 400, 'size', 30000, 'sha256', "hash", 'frames', 1))
      FROM "numbers")
    INSERT INTO "Image" ("id", "slug", "ownerId", "sha256", "mime", "width", "height", "size", "filename", "title", "visibility", "createdAt", "takenAt", "trashedAt")
    SELECT gen_random_uuid(), substr("hash", 1, 22), '${owner}', "hash", 'image/jpeg', 4000, 3000, 100000 + n::bigint * 7919 % 3000000,
      'IMG_' || n::bigint * 104729 % 1000000 || '.jpg', 'Photograph ' || n || CASE
        WHEN n = 500002 THEN ' ${words.one}'
        WHEN n % 1000 = 7 THEN ' ${words.thousand}'
        WHEN n % 10 = 3 THEN ' ${words.tenth}'
        ELSE '' END || CASE WHEN n < 100000 THEN ' ${words.oldest}' ELSE '' END, CASE WHEN n % 10 = 0 THEN 'public' ELSE 'link' END::"Visibility",
      timestamptz '2026-01-01' + (n - n % 3) * interval '7 seconds',
      CASE WHEN n / 10 % 2 = 0 THEN timestamptz '2020-01-01' + n::bigint * 7919 % 1000000 * interval '2 minutes' END,
      CASE WHEN n % 10 = 1 THEN timestamptz '2026-10-01' + n * interval '1 second' END
    FROM "numbers"`
}
