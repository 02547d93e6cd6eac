import { type Spread, spreadOf } from '../report/figures.ts'
import type { Contender, Contenders } from './contenders.ts'
import { load } from './load.ts'
import { cpuSeconds } from './pinned.ts'

export interface ThroughputRow {
  readonly status: 200 | 304
  readonly name: string
  readonly perSecond: Spread
  /** Requests per second relative to nginx, in adjacent turns. */
  readonly ratio: Spread
  /** Requests per second of the server's CPU time, relative to nginx. Also valid on a busy machine. */
  readonly ratioOfCpu: Spread
}

interface Turn {
  readonly perSecond: number
  readonly perCpuSecond: number
}

/** Warm-up until the code is optimised: the compiler shares the server's core. */
const WARM_UP_SECONDS = 8

/** Measures each contender in turn, in rounds. */
export async function measureThroughput(
  contenders: Contenders,
  folder: string,
  { rounds, seconds }: { readonly rounds: number; readonly seconds: number },
): Promise<readonly ThroughputRow[]> {
  const { nginx, bare, renderings, originals } = contenders
  const rows: ThroughputRow[] = []
  for (const status of [200, 304] as const) {
    const turns = new Map<Contender, Turn[]>([nginx, bare, renderings, originals].map((each) => [each, []]))
    for (const contender of turns.keys()) await turnOf(contender, folder, status, WARM_UP_SECONDS)
    for (let round = 0; round < rounds; round += 1)
      for (const [contender, own] of turns) own.push(await turnOf(contender, folder, status, seconds))
    const base = turns.get(nginx) ?? []
    for (const [{ name }, own] of turns) {
      const ratioBy = (figure: keyof Turn) =>
        spreadOf(own.map((turn, at) => turn[figure] / (base[at]?.[figure] ?? NaN)))
      const perSecond = spreadOf(own.map((turn) => turn.perSecond))
      rows.push({ status, name, perSecond, ratio: ratioBy('perSecond'), ratioOfCpu: ratioBy('perCpuSecond') })
    }
  }
  return rows
}

async function turnOf(contender: Contender, folder: string, status: 200 | 304, seconds: number): Promise<Turn> {
  const { port, pid, addresses } = contender
  const asked = contender.asked.map(({ path, etag }) => ({ path, etag: status === 304 ? etag : null }))
  const before = cpuSeconds(pid)
  const { perSecond, requests } = await load({ port, asked, seconds, addresses, status, folder })
  return { perSecond, perCpuSecond: requests / (cpuSeconds(pid) - before) }
}
