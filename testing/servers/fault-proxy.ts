import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { freePort } from './free-port.ts'

/** How the proxy treats connections, including open ones:
 *  'pass' forwards; 'refuse' does not listen; 'reset' accepts and resets; 'blackhole' accepts and forwards nothing, and holds
 *  what it receives until it passes again; a number delays every chunk by this many milliseconds, in both directions. */
export type FaultMode = 'pass' | 'refuse' | 'reset' | 'blackhole' | number

/** A TCP proxy whose faults are switched while it runs. */
export interface FaultProxy extends AsyncDisposable {
  readonly host: string
  readonly port: number
  /** Connections accepted so far. */
  readonly accepted: number
  set(mode: FaultMode): Promise<void>
  /** Forwards connections from now on to another target; open ones stay where they are. */
  aim(target: ProxyTarget): void
}

export interface ProxyTarget {
  readonly host: string
  readonly port: number
}

interface Pair {
  readonly client: Socket
  readonly upstream: Socket
}

const HOST = '127.0.0.1'

export async function startFaultProxy(first: ProxyTarget): Promise<FaultProxy> {
  let target = first
  let mode: FaultMode = 'pass'
  let accepted = 0
  const pairs = new Set<Pair>()
  const server = createServer((client) => {
    accepted += 1
    if (mode === 'reset') return void client.on('error', () => {}).resetAndDestroy()
    const pair = { client, upstream: connect(target.port, target.host) }
    pairs.add(pair)
    client.once('close', () => pairs.delete(pair))
    join(client, pair.upstream, () => mode)
    join(pair.upstream, client, () => mode)
    if (mode === 'blackhole') pauseBoth(pair)
  })
  const listen = async (port: number) => {
    server.listen(port, HOST)
    await once(server, 'listening')
  }
  // Reserves the port while the proxy refuses connections.
  const port = await freePort()
  await listen(port)

  const set = async (next: FaultMode) => {
    mode = next
    for (const pair of pairs) {
      if (next === 'reset' || next === 'refuse') pair.client.resetAndDestroy()
      else if (next === 'blackhole') pauseBoth(pair)
      else resumeBoth(pair)
    }
    if (next === 'refuse' && server.listening) {
      server.close()
      await once(server, 'close')
    }
    if (next !== 'refuse' && !server.listening) await listen(port)
  }
  return {
    host: HOST,
    port,
    get accepted() {
      return accepted
    },
    set,
    aim: (next) => {
      target = next
    },
    [Symbol.asyncDispose]: async () => set('refuse'),
  }
}

/** Forwards one direction; the end of one side ends the other. */
function join(from: Socket, to: Socket, modeNow: () => FaultMode): void {
  let free = 0
  from.on('data', (chunk) => {
    const mode = modeNow()
    const now = performance.now()
    // No chunk overtakes an earlier one, even if the mode has changed.
    free = Math.max(free, typeof mode === 'number' ? now + mode : now)
    if (free <= now) to.write(chunk)
    else setTimeout(() => to.write(chunk), free - now)
  })
  from.on('error', () => {})
  from.on('close', () => to.destroy())
}

function pauseBoth({ client, upstream }: Pair): void {
  client.pause()
  upstream.pause()
}

function resumeBoth({ client, upstream }: Pair): void {
  client.resume()
  upstream.resume()
}
