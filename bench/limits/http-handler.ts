import { startRedisServer } from '../../testing/servers/redis-server.ts'
import type { Options } from '../report/options.ts'
import type { Table } from '../report/table.ts'
import { plainConnection, scriptCalls } from './bare.ts'
import { startChild } from './child.ts'
import { Connections } from './connections.ts'
import { contender } from './contender.ts'
import { awaited } from './handlers.ts'
import { limiterOver } from './ours.ts'
import { rateRow } from './rate-row.ts'
import { IN_FLIGHT, measureBeside } from './rounds.ts'

const TITLE = 'An HTTP handler'
const CALLS = 5_000

/** Requests per second of a node:http handler that awaits one decision. */
export async function httpHandler({ includes, rounds, scaled }: Options): Promise<Table> {
  await using redis = await startRedisServer()
  using client = await plainConnection(redis.url)
  await using server = await startChild('handler-server.ts', redis.url)
  using connections = new Connections(server.port)
  await using limiter = await limiterOver(redis.url)
  // Created here only for their names and targets; they decide in the server.
  const handlers = await awaited(client, limiter)
  const [bare, ...others] = handlers.map(({ name, target }, handler) =>
    contender({
      name,
      target,
      call: (subject) => connections.get(`/${handler}/${subject}`),
      isAllowed: ({ status }) => {
        if (status !== 200 && status !== 429) throw new Error(`${name}: the handler answered with ${status}`)
        return status === 200
      },
    }),
  )
  if (!bare) throw new Error('the first handler is the bare one')
  const contenders = others.filter(({ name }) => includes(TITLE, name))
  const effort = { rounds, calls: scaled(CALLS), meter: scriptCalls(client) }
  const measured = await measureBeside(bare, contenders, effort)
  return {
    title: TITLE,
    about: `A node:http handler that awaits one decision, or one bare EVALSHA, and answers; the server is a process of its own, asked over ${IN_FLIGHT} connections that stay open. Each turn is ${effort.calls.toLocaleString('en')} requests between two turns of bare; ${rounds} rounds.`,
    columns: ['requests/s', 'of bare', 'least to most', 'decisions a script call'],
    rows: measured.map(rateRow),
  }
}
