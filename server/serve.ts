import cluster from 'node:cluster'
import { once } from 'node:events'
import type { Server } from 'node:http'
import { hasUsers, setUpCode } from './accounts/owner.ts'
import { type App, createApp } from './app.ts'
import { CannotStart } from './cannot-start.ts'
import { type Config, unknownSettings } from './config.ts'
import { setCurrentApp } from './current-app.ts'
import { drainOnSignal } from './drain.ts'
import { type Connections, trackConnections } from './http/connections.ts'
import { declaredParts } from './http/declared-parts.ts'
import { fitConnections, readFileLimit } from './http/open-files.ts'
import { createPageBridge } from './http/pages/page-bridge.ts'
import { createPages } from './http/pages/pages.ts'
import { createHttpServer, REQUEST_MS } from './http/server.ts'
import { setSiteLanguage } from './http/site-locale.ts'
import { describeWarning, ruleSetWarnings } from './limits/rules/warnings.ts'
import { serveOwner } from './owner/serve-owner.ts'
import { pitfalls } from './pitfalls.ts'
import { isFirst, reportReady } from './processes/worker.ts'
import { rarely } from './rarely.ts'
import type { Services } from './services.ts'

/** How often it is logged that there are too many connections. */
const FULL_LOG_MS = 60_000

/** Serves the site in this process, alone or as one of several workers, until a signal stops it. Resolves when it accepts
 *  connections. */
export async function serve(config: Config, { dev }: { readonly dev: boolean }): Promise<void> {
  const app = await createApp(config, declaredParts())
  if (isFirst()) warn(app)
  // Reports an unreachable Redis now rather than at the first call.
  await app.limiter.check()
  setSiteLanguage(() => app.site.read().language)
  setCurrentApp(createPageBridge(app))
  const pages = await createPages(app, { dev, secure: config.origin.startsWith('https:') })
  const draining = new AbortController()
  const server = createHttpServer(app, pages, { dev, draining: draining.signal })
  const owner = ownerCommands(app, draining.signal)
  if (cluster.isPrimary) await owner.open()
  let commands = Promise.resolve()
  const begin = () => {
    draining.abort()
    commands = owner.close()
  }
  const end = async () => {
    await commands
    await app.close()
  }
  // No request is cut off: none takes longer than REQUEST_MS. Endless streams end at once.
  drainOnSignal(server, capConnections(server, app), REQUEST_MS, { begin, end })
  await listen(server, config)
  if (isFirst()) announce(config, app.description, (await hasUsers(app.db)) ? null : setUpCode(config.secret))
  if (cluster.isWorker) reportReady({ metrics: app.metrics, serveOwner: owner.tryOpen })
}

function warn({ config, limitAdmin, log }: Services): void {
  for (const warning of pitfalls(config)) log.warn(warning)
  for (const { path, compiled } of limitAdmin.catalogue.parts)
    for (const warning of ruleSetWarnings(compiled)) log.warn(`${path}: ${describeWarning(warning)}`)
}

/** Of several workers one serves the owner's commands; another does when that one has ended. */
function ownerCommands(app: App, draining: AbortSignal) {
  let control: ReturnType<typeof serveOwner> | null = null
  const open = async (): Promise<void> => {
    if (draining.aborted) return
    control = serveOwner(app)
    await control
  }
  return {
    open,
    tryOpen: () => void open().catch((err: unknown) => app.log.error({ err }, 'cannot serve commands of the owner')),
    close: async (): Promise<void> => (await control)?.close(),
  }
}

async function listen(server: Server, { host, port }: Config): Promise<void> {
  server.listen(port, host)
  await once(server, 'listening').catch((error: NodeJS.ErrnoException) => {
    const reasons: Record<string, string> = {
      EADDRINUSE: `Something listens on port ${port} of ${host} already. Set PORT to another, or stop that.`,
      EACCES: `This user may not listen on port ${port}. Set PORT to one above 1023.`,
      EADDRNOTAVAIL: `This machine has no address ${host}. Set HOST to one it has.`,
      ENOTFOUND: `HOST: ${host} is no address, and no name that this machine knows.`,
      EAI_AGAIN: `HOST: ${host} is no address, and no name that this machine knows now.`,
    }
    const reason = reasons[error.code ?? '']
    throw reason ? new CannotStart(reason) : error
  })
}

function announce(config: Config, description: readonly string[], code: string | null): void {
  const { count } = config.processes
  console.log(`Sluice serves ${config.origin}`)
  for (const line of description) console.log(`  ${line}`)
  if (count > 1) console.log(`  processes: ${count}`)
  for (const name of unknownSettings()) console.log(`  ${name} is no setting, and does nothing`)
  if (code) console.log(`  Nobody has an account yet. Set up at ${config.origin}/setup with the code ${code}`)
}

/** Keeps connections from taking the files that the database, Redis and images need. */
function capConnections(server: Server, { log }: Pick<Services, 'log'>): Connections {
  const most = fitConnections(readFileLimit())
  const report = rarely<undefined>(FULL_LOG_MS, (_, times) => {
    log.warn({ most, times }, 'more connections than this process may hold: raise its limit of open files (ulimit -n)')
  })
  return trackConnections(server, { most, onFull: () => report(undefined) })
}
