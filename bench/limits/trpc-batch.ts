import { startRedisServer } from '../../testing/servers/redis-server.ts'
import { atLeast } from '../report/figures.ts'
import type { Options } from '../report/options.ts'
import type { Row, Table } from '../report/table.ts'
import { plainConnection, scriptCalls } from './bare.ts'
import { startChild } from './child.ts'
import { Connections } from './connections.ts'
import { type Contender, contender } from './contender.ts'
import { rateRow } from './rate-row.ts'
import { IN_FLIGHT, measureBeside } from './rounds.ts'

const TITLE = 'A tRPC batch'
const CALLS = 10
/** How often ten calls are made per turn. */
const TENS = 100
/** As many calls as in the other tables. */
const TENS_IN_FLIGHT = Math.floor(IN_FLIGHT / CALLS)

/** Ten calls in one request, compared with ten concurrent requests. */
interface Pair {
  readonly parallel: Contender
  readonly batch: Contender
}

/** Over the whole server except its pages. */
export async function trpcBatch({ includes, rounds, scaled }: Options): Promise<Table> {
  const effort = { rounds, calls: scaled(TENS), inFlight: TENS_IN_FLIGHT }
  const rows: Row[] = []
  if (includes(TITLE, 'a batch of 10')) {
    await using redis = await startRedisServer()
    using client = await plainConnection(redis.url)
    await using server = await startChild('trpc-server.ts', redis.url)
    using connections = new Connections(server.port)
    for (const procedure of ['nothing', 'account.me']) {
      const { parallel, batch } = pairOf(procedure, connections)
      const measured = await measureBeside(parallel, [batch], { ...effort, meter: scriptCalls(client) })
      rows.push(...measured.map(rateRow))
    }
  }
  return {
    title: TITLE,
    about: `Ten calls by one caller in one request, or in ten at once over connections that stay open; ${TENS_IN_FLIGHT} such tens are under way at any time. Over the whole server but for its pages, in a process of its own with an embedded database. \`nothing\` has a rule set of three rules and does nothing; \`account.me\` has one of two and reads a row, which is what it is slow by. Each turn is ${effort.calls} times ten calls; ${rounds} rounds.`,
    columns: ['tens/s', 'of 10 requests', 'least to most', 'tens a script call'],
    rows,
  }
}

function pairOf(procedure: string, connections: Connections): Pair {
  const single = `/api/trpc/${procedure}`
  const ten = `/api/trpc/${Array(CALLS).fill(procedure).join(',')}?batch=1&input=%7B%7D`
  const parallel = contender({
    name: `${procedure}: 10 requests at once`,
    call: () => {
      const caller = anotherCaller()
      return Promise.all(Array.from({ length: CALLS }, () => connections.get(single, caller)))
    },
    isAllowed: (answers) => answers.every(({ status, body }) => status === 200 && resultsIn(body) === 1),
  })
  const batch = contender({
    name: `${procedure}: a batch of 10`,
    // In the other one, the database takes most of the time.
    target: procedure === 'nothing' ? atLeast(3) : undefined,
    call: () => connections.get(ten, anotherCaller()),
    isAllowed: ({ status, body }) => status === 200 && resultsIn(body) === CALLS,
  })
  return { parallel, batch }
}

let callers = 0

/** A new caller, far from any limit. */
function anotherCaller(): string {
  callers += 1
  return `X-Forwarded-For: 10.${callers >> 16}.${(callers >> 8) & 255}.${callers & 255}\r\n`
}

function resultsIn(body: string): number {
  return body.split('"result"').length - 1
}
