import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { freePort } from './free-port.ts'
import { machineRedis, type RedisProgram } from './redis-programs.ts'

/** A separate Redis or Valkey on a free port of the loopback, without persistence. */
export interface RedisServer extends AsyncDisposable {
  readonly url: string
  readonly host: string
  readonly port: number
  /** Suspends or resumes the process. */
  freeze(): void
  thaw(): void
  /** Kills the server. */
  kill(): Promise<void>
  /** Kills the server, and starts an empty one on the same port. */
  restart(): Promise<void>
}

const HOST = '127.0.0.1'
const START_WITHIN_MS = 60_000

/** Servers that are still running when this process ends are killed with it. */
const running = new Set<ChildProcess>()
process.once('exit', () => {
  for (const child of running) child.kill('SIGKILL')
})

/** Starts the machine's redis-server or another program. Rejects with an explanation if it is missing. */
export async function startRedisServer(args: readonly string[] = [], program = machineRedis()): Promise<RedisServer> {
  const folder = await mkdtemp(join(tmpdir(), 'sluice-redis-'))
  let port = await freePort()
  const start = () => spawnRedis(program, folder, port, args)
  let child = await start()
    .catch(async (error: unknown) => {
      if (!(error instanceof EndedAtStart)) throw error
      // Another process may have taken the port in the meantime.
      port = await freePort()
      return start()
    })
    .catch(async (error: unknown) => {
      await rm(folder, { recursive: true, force: true })
      throw error
    })
  return {
    url: `redis://${HOST}:${port}`,
    host: HOST,
    port,
    freeze: () => void child.kill('SIGSTOP'),
    thaw: () => void child.kill('SIGCONT'),
    kill: () => end(child),
    restart: async () => {
      await end(child)
      child = await start()
    },
    [Symbol.asyncDispose]: async () => {
      await end(child)
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** The server ended at its start, for example because its port was taken. */
export class EndedAtStart extends Error {
  override readonly name = 'EndedAtStart'
}

async function spawnRedis(
  { name, command }: RedisProgram,
  folder: string,
  port: number,
  args: readonly string[],
): Promise<ChildProcess> {
  if (command === null) throw new Error(`${name} is missing: \`npm test\` installs it, or prints how to`)
  const [file = '', ...before] = command
  const own = ['--port', String(port), '--bind', HOST, '--save', '', '--appendonly', 'no', '--dir', folder]
  const child = spawn(file, [...before, ...own, ...args], { stdio: 'ignore' })
  await once(child, 'spawn')
  running.add(child)
  await untilPong(child, port)
  return child
}

async function untilPong(child: ChildProcess, port: number): Promise<void> {
  const deadline = performance.now() + START_WITHIN_MS
  while (!(await answersPing(port))) {
    if (child.exitCode !== null) throw new EndedAtStart(`redis-server ended with code ${child.exitCode} at its start`)
    if (performance.now() > deadline) throw new Error(`redis-server gave no PONG within ${START_WITHIN_MS} ms`)
    await delay(10)
  }
}

async function answersPing(port: number): Promise<boolean> {
  const socket = connect(port, HOST)
  try {
    await once(socket, 'connect')
    socket.write('PING\r\n')
    const [reply] = await once(socket, 'data')
    // With a password it asks for that first.
    return /^(?:\+PONG|-NOAUTH)/.test(String(reply))
  } catch {
    return false
  } finally {
    socket.destroy()
  }
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill('SIGKILL')
  await ended
  running.delete(child)
}
