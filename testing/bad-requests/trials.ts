import type { IncomingMessage, ServerResponse } from 'node:http'
import { connect, type Socket } from 'node:net'
import pLimit from 'p-limit'
import { toCaller } from '#server/accounts/viewer.ts'
import { upload } from '#server/images/limits.ts'
import { limitAdminLive } from '#server/limit-admin/limits.ts'
import { compileRuleSets } from '#server/limits/rules/compile.ts'
import { everythingKept } from '../http/image-client.ts'
import { parseAnswers, type RawAnswer } from '../http/raw-http.ts'
import { seededRandom } from '../random.ts'
import type { TestApp } from '../sluice/sluice-app.ts'
import { within } from '../within.ts'
import { type BadRequest, type Draw, write } from './bad-request.ts'
import type { BadRequestScene } from './scene.ts'

/** The deadline of the server's requests in these trials. */
export const REQUEST_MS = 2_000
/** By then every connection has ended, even on a busy machine. */
const HANG_MS = 60_000
/** By then everything that the last connections held is free. */
const LEFT_MS = 10_000
/** After this a stream is left. */
const STREAM_MS = 200
const AT_ONCE = 40

export interface Trial {
  readonly index: number
  readonly class: string
  readonly statuses: readonly number[]
  readonly problem: string | null
}

export interface Trials {
  readonly server: TestApp
  readonly scene: BadRequestScene
  readonly draws: readonly [Draw, ...Draw[]]
  readonly seed: number
  /** The server's open connections; each tells its last request. */
  readonly open: ReadonlyMap<Socket, () => string>
}

/** Follows the open connections of a server. */
export function watchConnections({ server }: TestApp): Trials['open'] {
  const open = new Map<Socket, () => string>()
  server.on('connection', (socket) => {
    open.set(socket, () => 'no request')
    socket.once('close', () => open.delete(socket))
  })
  const note = (req: IncomingMessage, res: ServerResponse) =>
    open.set(req.socket, () => {
      const { method, url, complete, socket } = req
      return JSON.stringify({
        ...{
          method,
          url,
          headers: req.rawHeaders,
          complete,
          paused: req.isPaused(),
          status: res.headersSent && res.statusCode,
        },
        ...{
          ended: res.writableEnded,
          finished: res.writableFinished,
          socket: socket.readyState,
          read: socket.bytesRead,
          buffered: socket.writableLength,
        },
      })
    })
  for (const event of ['request', 'checkContinue', 'checkExpectation'] as const) server.on(event, note)
  return open
}

/** Draws the request with this number: the same seed and number give the same request. */
export function drawRequest({ scene, draws, seed }: Trials, index: number): BadRequest {
  const random = seededRandom(seed * 1_000_003 + index)
  const address = `10.${(index >> 16) & 255}.${(index >> 8) & 255}.${index & 255}`
  return random.pick(draws)({ random, scene, address })
}

/** Sends `count` requests, each on a connection of its own. */
export function attemptAll(trials: Trials, count: number): Promise<Trial[]> {
  const limit = pLimit(AT_ONCE)
  return Promise.all(Array.from({ length: count }, (_, index) => limit(() => attempt(trials, index))))
}

export async function attempt(trials: Trials, index: number): Promise<Trial> {
  const { server, scene } = trials
  const { location, ...attempted } = await attemptRequest(server, drawRequest(trials, index), scene.secrets)
  return { index, ...attempted }
}

interface Attempt extends Omit<Trial, 'index'> {
  /** Where the first answer leads to. */
  readonly location: string | undefined
}

/** Sends a request, and checks what a server at `origin` answers. `secrets` are told to nobody but superadmins. */
export async function attemptRequest(
  server: { readonly origin: string },
  request: BadRequest,
  secrets: readonly string[],
): Promise<Attempt> {
  // Ends the connection: what is answered after it would be an answer too many.
  const last = write(
    { line: 'GET /healthz HTTP/1.1', headers: [['Connection', 'close']] },
    { address: '10.255.255.255' },
  )
  const read = await exchange(server, Buffer.concat([request.bytes, last]), request.mayStream ?? false)
  const { answers, rest } = parseAnswers(read.bytes, request.methods)
  const isStream = request.mayStream && rest.length > 0
  const problem =
    (read.isHung && 'the connection did not end') ||
    (rest.length > 0 && !isStream && `no whole answer: ${rest.toString('latin1').slice(0, 200)}`) ||
    problemOfCount(request, answers) ||
    problemOfExpected(request, answers) ||
    answers.map((answer) => problemOfAnswer(request, answer, secrets)).find((found) => found !== null) ||
    null
  const location = answers[0]?.headers.location
  return { class: request.class, statuses: answers.map(({ status }) => status), problem, location }
}

function exchange(
  { origin }: { readonly origin: string },
  bytes: Buffer,
  mayStream: boolean,
): Promise<{ bytes: Buffer; isHung: boolean }> {
  const { promise, resolve } = Promise.withResolvers<{ bytes: Buffer; isHung: boolean }>()
  const socket = connect(Number(new URL(origin).port), '127.0.0.1')
  const chunks: Buffer[] = []
  let isHung = false
  const patience = setTimeout(
    () => {
      isHung = !mayStream
      socket.destroy()
    },
    mayStream ? STREAM_MS : HANG_MS,
  )
  socket
    .on('data', (chunk) => chunks.push(chunk))
    // A reset is an end: what has been answered counts.
    .on('error', () => undefined)
    .on('close', () => {
      clearTimeout(patience)
      resolve({ bytes: Buffer.concat(chunks), isHung })
    })
  socket.write(bytes)
  return promise
}

function problemOfCount({ methods, isLast }: BadRequest, answers: readonly RawAnswer[]): string | null {
  const most = methods.length + (isLast ? 0 : 1)
  return answers.length > most ? `${answers.length} answers to at most ${most} requests` : null
}

function problemOfExpected({ expected = [] }: BadRequest, answers: readonly RawAnswer[]): string | null {
  for (const [index, pattern] of expected.entries()) {
    const found = answers[index]
    const text = found ? `${found.status} ${found.headers['content-range'] ?? ''}` : 'nothing'
    if (!pattern.test(text)) return `answer ${index} is ${text} in place of ${pattern}`
  }
  return null
}

function problemOfAnswer({ role }: BadRequest, answer: RawAnswer, secrets: readonly string[]): string | null {
  const { status, headers, body } = answer
  if (!(status >= 200 && status < 500)) return `answered ${status}: ${body.slice(0, 200)}`
  if (headers['x-injected'] !== undefined) return 'has a header of the request'
  if (status !== 304 && headers['x-content-type-options'] !== 'nosniff') return `${status} has no security headers`
  if (status !== 304 && headers['content-security-policy'] === undefined) return `${status} has no policy`
  const said = `${body}${JSON.stringify(headers)}`
  const told = role === 'superadmin' ? [] : secrets.filter((secret) => said.includes(secret))
  return told.length > 0 ? `told ${role} of a private image: ${told}` : null
}

/** What the server has failed at, or has left behind. Call it after the trials. `failures` are the lines of its log. */
export async function problemsBehind({ server, scene, open }: Trials, failures: readonly string[]): Promise<string[]> {
  const alive = await fetch(`${server.origin}/healthz`, { headers: { connection: 'close' } })
  const left = async () => {
    const { unfinished } = await everythingKept(server)
    return {
      unfinished,
      connections: [...open.values()].map((describe) => describe()),
      leases: await countLeases(server, scene),
    }
  }
  const problems = failures.map((failure) => `logged ${failure}`)
  if (alive.status !== 200) problems.push(`/healthz answered ${alive.status}`)
  const nothing = JSON.stringify({ unfinished: [], connections: [], leases: 0 })
  await within(LEFT_MS, async () => {
    const found = JSON.stringify(await left())
    if (found !== nothing) throw new Error(`left ${found}`)
  }).catch((error: unknown) => problems.push(String(error)))
  return problems
}

/** The rule sets that count calls in flight. */
const inFlight = compileRuleSets(
  'trials',
  [...limitAdminLive, ...upload].filter(({ rules }) => rules.some((rule) => 'concurrent' in rule)),
)

/** Calls of the accounts that the limiter takes to be in flight. */
async function countLeases({ app }: TestApp, { senders }: BadRequestScene): Promise<number> {
  const decisions = await Promise.all(
    senders.map(({ viewer }) => app.limiter.peek([{ sets: inFlight, caller: toCaller(viewer, '10.255.255.254') }])),
  )
  return decisions.flatMap(({ rules }) => rules).reduce((sum, { limit, remaining }) => sum + limit - remaining, 0)
}
