import { once } from 'node:events'
import { createServer } from 'node:net'

/**
 * The range of test ports: below the system's ephemeral ports. An ephemeral port may be assigned to another process before the
 * server listens on it, or while its server is stopped during a test.
 */
const FIRST = 11_000
/** Ports per test worker, so that no two workers choose the same one. */
const SHARE = 500
const SHARES = 40

// Vitest numbers its workers from 1, Playwright from 0: theirs are counted from the end.
const { VITEST_POOL_ID = '0', TEST_PARALLEL_INDEX } = process.env
const worker = TEST_PARALLEL_INDEX === undefined ? Number(VITEST_POOL_ID) : SHARES - 1 - Number(TEST_PARALLEL_INDEX)
const first = FIRST + (worker % SHARES) * SHARE
/** Counts the ports that this process has tried, because clients of an earlier server may still try to reconnect to its port. It
 *  is kept in the environment, since every test file loads this module again; a worker's next process starts elsewhere. */
function nextPort(): number {
  const turn = Number(process.env.TEST_PORT_TURN ?? process.pid)
  process.env.TEST_PORT_TURN = String(turn + 1)
  return first + (turn % SHARE)
}

/** Returns a free port of 127.0.0.1, for servers that cannot choose one themselves. */
export async function freePort(): Promise<number> {
  for (let tried = 0; tried < SHARE; tried += 1) {
    const port = nextPort()
    if (await isFree(port)) return port
  }
  throw new Error('no free port on 127.0.0.1')
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer().listen(port, '127.0.0.1')
  try {
    await once(server, 'listening')
  } catch {
    return false
  }
  server.close()
  await once(server, 'close')
  return true
}
