/** The cost of a page of image.list with a million images, compared with the same page with a thousand. `npm run bench:list`;
 *  `--write` updates docs/benchmarks-list.md. Runs the whole server without HTTP over its own PostgreSQL. The two databases
 *  alternate. */
import { startPostgresServer } from '#testing/servers/postgres-server.ts'
import { type Person, startApp, type TestApp, type TestCaller } from '#testing/sluice/sluice-app.ts'
import { encodePlace, nameList } from '../server/images/listing/place-cursor.ts'
import { fill } from './lists/fill.ts'
import { measureSearches, searchTable } from './lists/searches.ts'
import { atMost, median, spreadOf } from './report/figures.ts'
import { parseOptions } from './report/options.ts'
import { publish } from './report/page.ts'
import { type Row, spread } from './report/table.ts'

const PAGE = 60
const FEW = 1_000
const MANY = 1_000_000
/** Images of the owner with few images, in both databases. */
const OF_ONE = 10
const CALLS = 60
const SEARCH_CALLS = 10
/** Target for pages that people browse; the trash is seldom opened. */
const TARGET = atMost(1.3)

/** Whose images are listed; `all` is a superadmin's view of all images. */
const lists = ['all', 'owner of nearly all', `owner of ${OF_ONE}`, 'gallery', 'trash'] as const
type List = (typeof lists)[number]
const places = ['first', 'middle', 'last'] as const
type Place = (typeof places)[number]

interface Filled extends AsyncDisposable {
  /** Of nearly all images. */
  readonly owner: TestCaller
  page(list: List, place: Place): () => Promise<number>
}

/** Starts a server over a database with this many images: a tenth public, a tenth in the trash, three per upload time. */
async function filled(databaseUrl: string, images: number): Promise<Filled> {
  const served = await startApp({ DATABASE_URL: databaseUrl, SLUICE_GALLERY: 'on' })
  const [rich, poor] = [await served.person({ role: 'superadmin' }), await served.person({ role: 'superadmin' })]
  await fill(databaseUrl, [
    { owner: rich.viewer.userId, first: 0, count: images - OF_ONE },
    { owner: poor.viewer.userId, first: images - OF_ONE, count: OF_ONE },
  ])
  const cursors = new Map<string, string | undefined>()
  for (const list of lists) {
    for (const place of places)
      cursors.set(`${list} ${place}`, await cursorAt(served, list, conditionOf(list, rich, poor), place))
  }
  return {
    owner: served.as(rich),
    page(list, place) {
      const cursor = cursors.get(`${list} ${place}`)
      const caller = served.as(list === `owner of ${OF_ONE}` ? poor : rich)
      const input = { ...listed(list), limit: PAGE, ...(cursor && { cursor }) }
      return async () => (await caller.image.list(input)).items.length
    },
    [Symbol.asyncDispose]: () => served[Symbol.asyncDispose](),
  }
}

function listed(list: List) {
  const scope = list === 'gallery' ? 'gallery' : list.startsWith('owner') ? 'mine' : 'all'
  return { scope, trash: list === 'trash' } as const
}

function conditionOf(list: List, rich: Person, poor: Person): string {
  const own = `"ownerId" = '${(list === `owner of ${OF_ONE}` ? poor : rich).viewer.userId}' AND`
  if (list === 'trash') return '"trashedAt" IS NOT NULL'
  if (list === 'gallery') return '"visibility" = \'public\' AND "trashedAt" IS NULL'
  return `${list === 'all' ? '' : own} "trashedAt" IS NULL`
}

/** Returns the cursor of a page in the middle, or of the last full one. */
async function cursorAt({ app }: TestApp, list: List, where: string, place: Place): Promise<string | undefined> {
  if (place === 'first') return undefined
  const order = where.includes('IS NOT NULL') ? '"trashedAt"' : '"createdAt"'
  const [{ count }] = await app.db.$queryRawUnsafe<[{ count: bigint }]>(`SELECT count(*) FROM "Image" WHERE ${where}`)
  const before = place === 'middle' ? Math.floor(Number(count) / 2) : Number(count) - PAGE - 1
  if (before < 1) return undefined
  const [row] = await app.db.$queryRawUnsafe<{ at: Date; id: string }[]>(
    `SELECT ${order} AS "at", "id" FROM "Image" WHERE ${where} ORDER BY ${order} DESC, "id" DESC OFFSET ${before - 1} LIMIT 1`,
  )
  return row && encodePlace(nameList({ ...listed(list), by: 'uploaded' }), { key: row.at.toISOString(), id: row.id })
}

async function milliseconds(page: () => Promise<number>, expected: number): Promise<number> {
  const start = performance.now()
  const found = await page()
  const ms = performance.now() - start
  if (found !== expected) throw new Error(`${found} images in place of ${expected}`)
  return ms
}

async function compare(few: () => Promise<number>, many: () => Promise<number>, rounds: number, calls: number) {
  const expected = [await few(), await many()] as const
  const [ratios, fewMs, manyMs] = [[] as number[], [] as number[], [] as number[]]
  for (let round = 0; round <= rounds; round += 1) {
    const times = [[] as number[], [] as number[]] as const
    for (let call = 0; call < calls; call += 1) {
      times[0].push(await milliseconds(few, expected[0]))
      times[1].push(await milliseconds(many, expected[1]))
    }
    // The first run is a warm-up.
    if (round === 0) continue
    fewMs.push(median(times[0]))
    manyMs.push(median(times[1]))
    ratios.push(median(times[1]) / median(times[0]))
  }
  return { ratio: spreadOf(ratios), few: median(fewMs), many: median(manyMs), images: expected[1] }
}

const options = parseOptions(process.argv.slice(2))
await using postgres = await startPostgresServer()
await using few = await filled(await postgres.createDatabase(), FEW)
await using many = await filled(await postgres.createDatabase(), MANY)
const rows: Row[] = []
for (const list of lists) {
  for (const place of places) {
    const name = `${list}, ${place} page`
    if (!options.includes('list', name)) continue
    const measured = await compare(few.page(list, place), many.page(list, place), options.rounds, options.scaled(CALLS))
    const { ratio } = measured
    const cells = [
      String(measured.images),
      measured.few.toFixed(1),
      measured.many.toFixed(1),
      ratio.median.toFixed(2),
      spread(ratio),
    ]
    rows.push({ name, cells, goals: list === 'trash' ? [] : [{ target: TARGET, figure: ratio.median }], raw: measured })
    console.error(name, cells.join(' '))
  }
}
const calls = options.scaled(SEARCH_CALLS)
const includes = (name: string) => options.includes('search', name)
const searched = await measureSearches(many.owner, { rounds: options.rounds, calls, includes })
publish(
  { title: 'Benchmark of lists', script: 'bench:list', file: 'benchmarks-list.md' },
  [
    {
      title: 'Lists',
      about: `\`image.list\` of ${PAGE} images over PostgreSQL, called without HTTP, with ${MANY.toLocaleString('en')} images and with ${FEW.toLocaleString('en')}: the two take turns, call by call; the median of ${options.scaled(CALLS)} calls is a round's figure, of ${options.rounds} rounds.`,
      columns: ['images', 'ms, few', 'ms, many', 'many of few', 'least to most'],
      rows,
    },
    searchTable(searched, calls, options.rounds),
  ],
  options,
)
