import { messages, type PGlite, protocol, type Transaction } from '@electric-sql/pglite'

/** Statements that are kept: the server has some hundred, and lists of values make more. */
const MOST = 250
/** Characters of the longest that is kept. */
const LONGEST = 10_000

const { serialize } = protocol
const RUN = Buffer.concat([serialize.execute({}), serialize.sync()])

type Query = PGlite['query']
type Options = NonNullable<Parameters<Query>[2]>

interface Statement {
  readonly name: string
  /** The types of its parameters, by their numbers. */
  readonly parameters: readonly number[]
  readonly fields: readonly { readonly name: string; readonly dataTypeID: number }[]
}

interface Answer {
  readonly fields: Statement['fields']
  readonly rows: readonly unknown[][]
  readonly affectedRows: number
}

/**
 * A PGlite for Prisma's adapter that parses a statement once: PGlite parses and describes each query anew, in six calls of
 * WebAssembly, which takes most of what a short one costs. Statements are kept by their text, those that were asked
 * last; PostgreSQL itself decides whether a plan serves for all values. All else, and what is asked in another way than the
 * adapter's, is PGlite's own. For tables whose columns change no more: what is kept of a statement are the types of its answer.
 */
export function keepStatements(pglite: PGlite): PGlite {
  const statements = new Statements(pglite)
  const query = (...asked: Parameters<Query>) => statements.query(...asked)
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
      // The one that was asked last is the last to go.
      this.#kept.delete(sql)
      this.#kept.set(sql, statement)
      const bound = values.map((value, at) => this.#serialized(value, statement.parameters[at] ?? 0))
      const heard = await this.#say(serialize.bind({ statement: statement.name, values: bound }), RUN)
      const readers = statement.fields.map(({ dataTypeID: type }) => parsers[type] ?? this.#pglite.parsers[type])
      return answerOf(heard, statement, readers)
    })
  }

  async #parse(sql: string): Promise<Statement> {
    const [oldest] = this.#kept
    const isFull = oldest && this.#kept.size >= MOST
    if (isFull) this.#kept.delete(oldest[0])
    this.#names += 1
    const name = `kept_${this.#names}`
    const heard = await this.#say(
      ...(isFull ? [serialize.close({ type: 'S', name: oldest[1].name })] : []),
      serialize.parse({ text: sql, name }),
      serialize.describe({ type: 'S', name }),
      serialize.sync(),
    )
    const [parameters] = heard.filter((message) => message instanceof messages.ParameterDescriptionMessage)
    const [row] = heard.filter((message) => message instanceof messages.RowDescriptionMessage)
    const fields = row?.fields.map(({ name, dataTypeID }) => ({ name, dataTypeID })) ?? []
    return { name, parameters: parameters?.dataTypeIDs ?? [], fields }
  }

  /** Throws the first error that is answered. What stands behind it is passed over, up to the end. */
  #say(...said: readonly Uint8Array[]) {
    return this.#pglite.execProtocolStream(Buffer.concat(said), { syncToFs: false })
  }

  #serialized(value: unknown, type: number): string | null {
    if (value === null || value === undefined) return null
    const serialize = this.#pglite.serializers[type]
    return serialize ? serialize(value) : String(value)
  }
}

/** What the adapter asks, in the one way that it asks. */
function isKept(sql: string, options: Options | undefined): options is Options {
  const others = options && Object.keys(options).some((name) => name !== 'rowMode' && name !== 'parsers')
  return options?.rowMode === 'array' && !others && sql.length <= LONGEST
}

type Heard = Awaited<ReturnType<PGlite['execProtocolStream']>>
type Reader = PGlite['parsers'][string]

function answerOf(heard: Heard, { fields }: Statement, readers: readonly (Reader | undefined)[]): Answer {
  const rows: unknown[][] = []
  let affectedRows = 0
  for (const message of heard) {
    if (message instanceof messages.DataRowMessage)
      rows.push(message.fields.map((text, at) => read(text, fields[at], readers[at])))
    else if (message instanceof messages.CommandCompleteMessage) affectedRows = affectedBy(message.text)
  }
  return { fields, rows, affectedRows }
}

const read = (
  text: string | null,
  field: Statement['fields'][number] | undefined,
  reader: Reader | undefined,
): unknown => (text === null || !reader ? text : reader(text, field?.dataTypeID))

/** Of a tag such as `INSERT 0 5` or `UPDATE 3`; what only reads changes nothing. */
function affectedBy(tag: string): number {
  const words = tag.split(' ')
  return changes.has(words[0] ?? '') ? Number(words.at(-1)) : 0
}

const changes: ReadonlySet<string> = new Set(['INSERT', 'UPDATE', 'DELETE', 'MERGE', 'COPY'])
