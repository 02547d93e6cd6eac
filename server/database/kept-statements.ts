import { messages, type PGlite, protocol, type Transaction } from '@electric-sql/pglite'

/** Prepared statements to keep. The server uses a few hundred; lists of values add more. */
const MOST = 250
/** Statements longer than this many characters are not kept. */
const LONGEST = 10_000

const { serialize } = protocol
const RUN = Buffer.concat([serialize.execute({}), serialize.sync()])

type Query = PGlite['query']
type Options = NonNullable<Parameters<Query>[2]>

interface Statement {
  readonly name: string
  /** The types of its parameters, as OIDs. */
  readonly parameters: readonly number[]
  readonly fields: readonly { readonly name: string; readonly dataTypeID: number }[]
}

interface Answer {
  readonly fields: Statement['fields']
  readonly rows: readonly unknown[][]
  readonly affectedRows: number
}

/** Wraps PGlite so that Prisma's adapter parses each statement only once. PGlite itself parses and describes every
 *  query in six WebAssembly calls, which is most of the cost of a short one: without this a page of `image.list` takes a
 *  third more processor time. Statements are cached by text, least recently used first out; PostgreSQL decides itself
 *  whether a generic plan serves all values. Everything else, and queries made in another way than the adapter's, go to
 *  PGlite unchanged. Only for tables whose columns no longer change, because the column types of results are cached. */
export function keepStatements(pglite: PGlite): PGlite {
  const statements = new Statements(pglite)
  const query = (...args: Parameters<Query>) => statements.query(...args)
  const transaction = <T>(work: (tx: Transaction) => Promise<T>) => statements.transaction(work)
  return new Proxy(pglite, {
    get(target, name) {
      if (name === 'query') return query
      if (name === 'transaction') return transaction
      const value: unknown = Reflect.get(target, name)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
}

class Statements {
  readonly #pglite: PGlite
  readonly #kept = new Map<string, Statement>()
  #names = 0

  constructor(pglite: PGlite) {
    this.#pglite = pglite
  }

  async query(...[sql, values, options]: Parameters<Query>): Promise<unknown> {
    if (!isKept(sql, options)) return this.#pglite.query(sql, values, options)
    await this.#pglite._checkReady()
    return this.#pglite._runExclusiveTransaction(async () => {
      const answer = await this.#run(sql, values, options)
      await this.#pglite.syncToFs()
      return answer
    })
  }

  transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    return this.#pglite.transaction((tx) => {
      const query = (...[sql, values, options]: Parameters<Query>) =>
        isKept(sql, options) && !tx.closed ? this.#run(sql, values, options) : tx.query(sql, values, options)
      const get = (target: Transaction, name: string | symbol) => (name === 'query' ? query : Reflect.get(target, name))
      return work(new Proxy(tx, { get }))
    })
  }

  #run(sql: string, values: readonly unknown[] = [], { parsers = {} }: Options): Promise<Answer> {
    return this.#pglite.runExclusive(async () => {
      const statement = this.#kept.get(sql) ?? (await this.#parse(sql))
      // Moves it to the end of the map, which is evicted from the front.
      this.#kept.delete(sql)
      this.#kept.set(sql, statement)
      const bound = values.map((value, at) => this.#serialize(value, statement.parameters[at] ?? 0))
      const response = await this.#send(serialize.bind({ statement: statement.name, values: bound }), RUN)
      const readers = statement.fields.map(({ dataTypeID: type }) => parsers[type] ?? this.#pglite.parsers[type])
      return toAnswer(response, statement, readers)
    })
  }

  async #parse(sql: string): Promise<Statement> {
    const [oldest] = this.#kept
    const isFull = oldest && this.#kept.size >= MOST
    if (isFull) this.#kept.delete(oldest[0])
    this.#names += 1
    const name = `kept_${this.#names}`
    const response = await this.#send(
      ...(isFull ? [serialize.close({ type: 'S', name: oldest[1].name })] : []),
      serialize.parse({ text: sql, name }),
      serialize.describe({ type: 'S', name }),
      serialize.sync(),
    )
    const [parameters] = response.filter((message) => message instanceof messages.ParameterDescriptionMessage)
    const [row] = response.filter((message) => message instanceof messages.RowDescriptionMessage)
    const fields = row?.fields.map(({ name, dataTypeID }) => ({ name, dataTypeID })) ?? []
    return { name, parameters: parameters?.dataTypeIDs ?? [], fields }
  }

  /** Throws the first error in the response. PostgreSQL skips the messages after it, up to the sync. */
  #send(...parts: readonly Uint8Array[]) {
    return this.#pglite.execProtocolStream(Buffer.concat(parts), { syncToFs: false })
  }

  #serialize(value: unknown, type: number): string | null {
    if (value === null || value === undefined) return null
    const serialize = this.#pglite.serializers[type]
    return serialize ? serialize(value) : String(value)
  }
}

/** Whether this is a query of the adapter, in the only form it uses. */
function isKept(sql: string, options: Options | undefined): options is Options {
  const others = options && Object.keys(options).some((name) => name !== 'rowMode' && name !== 'parsers')
  return options?.rowMode === 'array' && !others && sql.length <= LONGEST
}

type Response = Awaited<ReturnType<PGlite['execProtocolStream']>>
type Reader = PGlite['parsers'][string]

function toAnswer(response: Response, { fields }: Statement, readers: readonly (Reader | undefined)[]): Answer {
  const rows: unknown[][] = []
  let affectedRows = 0
  for (const message of response) {
    if (message instanceof messages.DataRowMessage)
      rows.push(message.fields.map((text, at) => read(text, fields[at], readers[at])))
    else if (message instanceof messages.CommandCompleteMessage) affectedRows = countAffected(message.text)
  }
  return { fields, rows, affectedRows }
}

const read = (
  text: string | null,
  field: Statement['fields'][number] | undefined,
  reader: Reader | undefined,
): unknown => (text === null || !reader ? text : reader(text, field?.dataTypeID))

/** Returns the row count of a tag such as `INSERT 0 5` or `UPDATE 3`; 0 for statements that only read. */
function countAffected(tag: string): number {
  const words = tag.split(' ')
  return changes.has(words[0] ?? '') ? Number(words.at(-1)) : 0
}

const changes: ReadonlySet<string> = new Set(['INSERT', 'UPDATE', 'DELETE', 'MERGE', 'COPY'])
