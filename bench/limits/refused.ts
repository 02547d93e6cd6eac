import { startRedisServer } from '../../testing/servers/redis-server.ts'
import type { Options } from '../report/options.ts'
import type { Table } from '../report/table.ts'
import { processorTime, startApart } from './apart.ts'
import { BARE, plainConnection, scriptCallsAndTime } from './bare.ts'
import { rateRow } from './rate-row.ts'
import { REFUSED } from './refused-contenders.ts'
import { IN_FLIGHT, measureBeside } from './rounds.ts'
import { SUBJECTS } from './subjects.ts'

const TITLE = 'Refused'
const CALLS = 100_000

/** Decisions per second about subjects that have been refused before. */
export async function refused({ includes, rounds, scaled }: Options): Promise<Table> {
  await using stack = new AsyncDisposableStack()
  const redis = stack.use(await startRedisServer())
  const client = stack.use(await plainConnection(redis.url))
  const entries = REFUSED.filter(({ name }) => name === BARE || includes(TITLE, name))
  const all = await startApart(stack, 'refused', entries, redis.url)
  const [bare, ...contenders] = all
  if (!bare) throw new Error('the first is the bare one')
  const calls = scaled(CALLS)
  const meter = scriptCallsAndTime(client, () => processorTime(all))
  const measured = await measureBeside(bare, contenders, { rounds, calls, inFlight: 1, meter })
  return {
    title: TITLE,
    about: `Each contender in a process of its own, as in all tables of what the process decides by itself. ${IN_FLIGHT} calls under way at any time, by ${SUBJECTS.toLocaleString('en')} subjects, each of which has used up a limit of one call an hour and was refused once before; all calls are refused. Each turn is ${calls.toLocaleString('en')} calls between two turns of bare; ${rounds} rounds.`,
    columns: ['decisions/s', 'of bare', 'least to most', 'decisions a script call', 'CPU µs here', 'in Redis'],
    rows: measured.map(rateRow),
  }
}
