import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import type { Server } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { OWNER_LANE } from '#server/accounts/password-lanes.ts'
import { hashPassword } from '#server/accounts/passwords.ts'
import { viewerOfSession } from '#server/accounts/sessions/sessions.ts'
import type { Role, Viewer } from '#server/accounts/viewer.ts'
import { type App, createApp } from '#server/app.ts'
import { loadConfig } from '#server/config.ts'
import { declaredParts } from '#server/http/declared-parts.ts'
import { createHttpServer, type ServerOptions } from '#server/http/server.ts'
import { createContext } from '#server/trpc/context.ts'
import { createCallerFactory } from '#server/trpc/init.ts'
import { appRouter } from '#server/trpc/router.ts'
import { signedIn } from '../accounts/signed-in.ts'
import { freePort } from '../servers/free-port.ts'
import { externalVariables } from '../servers/s3-settings.ts'

const createCaller = createCallerFactory(appRouter)
export type TestCaller = ReturnType<typeof createCaller>

/** A user with a session. */
export interface SignedIn {
  readonly viewer: Viewer
  readonly sessionId: string
}

export interface Person extends SignedIn {
  /** The request header that signs them in. */
  readonly cookie: string
}

export interface TestApp extends AsyncDisposable {
  readonly app: App
  readonly server: Server
  readonly origin: string
  /** The folder with the app's data. */
  readonly dataDir: string
  /** Creates an account with a session; by default with the role user and not shared. */
  person(kind?: { role?: Role; shared?: boolean; password?: string }): Promise<Person>
  /** The procedures, called without HTTP as `person` or a guest at `address`. */
  as(person: SignedIn | null, address?: string): TestCaller
}

/** Starts the whole server except its pages, on a free port of 127.0.0.1 and a temporary folder. `environment` is as for
 *  `npm start`; images are stored in the bucket in TEST_S3_…, if set. `options` are those of the HTTP server, and how long its
 *  limiter waits for Redis, which a busy machine lets answer late. */
export async function startApp(
  environment: Readonly<Record<string, string>> = {},
  { redisDeadlineMs, ...options }: ServerOptions & { readonly redisDeadlineMs?: number } = {},
): Promise<TestApp> {
  await using started = new AsyncDisposableStack()
  const dataDir = await mkdtemp(join(tmpdir(), 'sluice-app-'))
  started.defer(() => rm(dataDir, { recursive: true, force: true }))
  const port = await freePort()
  const own = { SLUICE_DATA: dataDir, PORT: `${port}`, SLUICE_LOG: 'silent', ...externalVariables() }
  const config = await loadConfig({ ...own, ...environment })
  const app = await createApp(config, declaredParts(), {
    ...(redisDeadlineMs !== undefined && { deadlineMs: redisDeadlineMs }),
  })
  started.defer(() => app.close())
  const server = createHttpServer(app, async (_req, res) => void res.writeHead(404).end(), options)
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  started.defer(() => {
    server.close()
    server.closeAllConnections()
  })
  const running = started.move()

  return {
    app,
    server,
    origin: config.origin,
    dataDir,
    person: (kind = {}) => createPerson(app, kind),
    as: (person, address = '203.0.113.7') =>
      createCaller(
        createContext(app, {
          viewer: person?.viewer ?? null,
          address,
          requestId: randomUUID(),
          foreignOrigin: false,
          header: () => undefined,
        }),
      ),
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  }
}

async function createPerson(app: App, kind: { role?: Role; shared?: boolean; password?: string }): Promise<Person> {
  const { password, ...rights } = kind
  const { sessionId, cookie } = await signedIn(app.db, app.config, {
    ...rights,
    ...(password && { passwordHash: await hashOnce(password) }),
  })
  const viewer = await viewerOfSession(app, sessionId)
  if (!viewer) throw new Error('a session just opened has no viewer')
  return { viewer, sessionId, cookie }
}

const hashes = new Map<string, Promise<string>>()

/** A hash takes a tenth of a second of CPU, and most accounts of tests have the same password. */
function hashOnce(password: string): Promise<string> {
  const hash = hashes.get(password) ?? hashPassword(password, { lane: OWNER_LANE })
  hashes.set(password, hash)
  return hash
}
