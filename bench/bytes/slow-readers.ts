import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { median } from '../report/figures.ts'
import type { Contenders } from './contenders.ts'
import { load } from './load.ts'
import { cpuSeconds, residentBytes } from './pinned.ts'

export interface SlowFigures {
  readonly readers: number
  /** 99th percentile of the latency in milliseconds, without slow readers and with them. */
  readonly without: readonly number[]
  readonly with: readonly number[]
  /** The ratio of the second to the first. Each turn with slow readers is between two without. */
  readonly ratio: number
  /** Bytes of memory that the slow readers cost. */
  readonly heldBytes: number
}

const READERS = 200
/** Milliseconds between reads of a kilobyte. */
const SIP_MS = 1_000
/** Milliseconds between checks whether the server is idle, the share of a core that it may use then, and the most checks. */
const LOOK_MS = 500
const REST_SHARE = 0.1
const MOST_LOOKS = 20

/** Measures how 200 clients that each read a large image slowly affect all others. */
export async function measureSlowReaders(
  { renderings, large }: Contenders,
  folder: string,
  { rounds, seconds }: { readonly rounds: number; readonly seconds: number },
): Promise<SlowFigures> {
  const { port, pid, asked, addresses } = renderings
  const p99 = async () => {
    const bytes = asked.map(({ path }) => ({ path, etag: null }))
    return (await load({ port, asked: bytes, seconds, addresses, status: 200, folder })).p99 / 1_000
  }
  await p99()
  const without = [await p99()]
  const turns: { with: number; ratio: number; heldBytes: number }[] = []
  for (let round = 0; round < rounds; round += 1) {
    const held = await residentBytes(pid)
    const sockets = await Promise.all(Array.from({ length: READERS }, (_, index) => sip(port, large, index)))
    await untilTheyHang(pid)
    const heldBytes = (await residentBytes(pid)) - held
    const among = await p99()
    for (const socket of sockets) socket.destroy()
    const [before = Number.NaN, after] = [without.at(-1), await p99()]
    without.push(after)
    turns.push({ with: among, ratio: among / ((before + after) / 2), heldBytes })
  }
  return {
    readers: READERS,
    without,
    with: turns.map((turn) => turn.with),
    ratio: median(turns.map(({ ratio }) => ratio)),
    heldBytes: median(turns.map(({ heldBytes }) => heldBytes)),
  }
}

/** Waits until the sockets' buffers of several megabytes are full; until then the readers are as fast as any. */
async function untilTheyHang(pid: number): Promise<void> {
  for (let look = 0; look < MOST_LOOKS; look += 1) {
    const before = cpuSeconds(pid)
    await wait(LOOK_MS)
    if (cpuSeconds(pid) - before < (REST_SHARE * LOOK_MS) / 1_000) return
  }
}

/** Requests a path and reads a kilobyte of it each second. */
async function sip(port: number, path: string, index: number): Promise<Socket> {
  const socket = connect({ port, host: '127.0.0.1' }).on('error', () => undefined)
  await once(socket, 'connect')
  socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\nX-Forwarded-For: 10.254.0.${index}\r\n\r\n`)
  await once(socket, 'readable')
  const timer = setInterval(() => socket.read(1_024), SIP_MS)
  socket.once('close', () => clearInterval(timer))
  return socket
}
