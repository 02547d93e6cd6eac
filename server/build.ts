import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { CannotStart } from './cannot-start.ts'
import { childEnvironment } from './config.ts'

const root = join(import.meta.dirname, '..')

/** A build product. `stamp` is the file with the digest of the sources that it was built from. */
interface Product {
  readonly name: string
  /** A script and its arguments. */
  readonly command: readonly string[]
  readonly sources: readonly string[]
  readonly stamp: string
  readonly environment: Readonly<Record<string, string>>
  /** What is left to do with its files. */
  readonly finish?: () => Promise<void>
}

const client: Product = {
  name: 'the database client',
  command: ['node_modules/prisma/build/index.js', 'generate'],
  sources: ['prisma/schema.prisma', 'prisma.config.ts', 'package-lock.json'],
  stamp: 'generated/prisma/.built-from',
  // `generate` requires a schema engine but does not use it; any existing file keeps it from downloading one.
  environment: { PRISMA_SCHEMA_ENGINE_BINARY: join(root, 'package.json'), PRISMA_HIDE_UPDATE_MESSAGE: '1' },
}

const pages: Product = {
  name: 'the pages',
  command: ['node_modules/next/dist/bin/next', 'build', '--experimental-next-config-strip-types'],
  sources: [
    'app',
    'format',
    'messages',
    'public',
    'server/build.ts',
    'server/current-app.ts',
    'next.config.ts',
    'postcss.config.mjs',
    'tsconfig.json',
    'package-lock.json',
  ],
  stamp: '.next/built-from',
  environment: { NODE_ENV: 'production', NEXT_TELEMETRY_DISABLED: '1' },
  finish: hintScripts,
}

const database: Product = {
  name: 'an empty database',
  command: ['server/make-database.ts'],
  // Not the jobs: a start declares again those that have changed.
  sources: ['server/make-database.ts', 'prisma/migrations', 'package-lock.json'],
  stamp: 'generated/database/.built-from',
  environment: {},
}

/** A build step failed; the message has its output. */
export class BuildFailed extends CannotStart {
  override name = 'BuildFailed'
}

/** What to build besides the database client. `say` reports each step, by default to the terminal. */
export interface Wanted {
  readonly pages?: boolean
  /** The embedded database that a first start copies. */
  readonly database?: boolean
  readonly say?: (line: string) => void
}

/** Builds what is wanted, unless it is up to date with its sources. Throws BuildFailed. */
export async function buildIfStale(wanted: Wanted): Promise<void> {
  const { say = console.log } = wanted
  await buildProduct(client, say)
  // Side by side: pages keep more than one core busy only for a part of their time. Both end before either's failure is thrown.
  const builds = [...(wanted.database ? [database] : []), ...(wanted.pages ? [pages] : [])]
  for (const built of await Promise.allSettled(builds.map((product) => buildProduct(product, say))))
    if (built.status === 'rejected') throw built.reason
}

async function buildProduct(product: Product, say: (line: string) => void): Promise<void> {
  const digest = await digestSources(product.sources)
  const stamp = join(root, product.stamp)
  if (digest === (await readFile(stamp, 'utf8').catch(() => null))) return
  say(`Building ${product.name} …`)
  // Deleted first, so that an interrupted build does not look complete.
  await rm(stamp, { force: true })
  await run(product)
  await product.finish?.()
  await mkdir(dirname(stamp), { recursive: true })
  await writeFile(stamp, digest)
}

/** A shorter script compiles in less time than the hint takes to arrive. */
const HINTED_LENGTH = 5_000

/** Lets Chromium compile the pages' scripts while they arrive, apart from the page's own thread, which otherwise compiles each function
 *  at its first call, and most are called at the start. For other browsers it is a comment. */
async function hintScripts(): Promise<void> {
  const folder = join(root, '.next/static/chunks')
  for (const name of await readdir(folder)) {
    const file = join(folder, name)
    const text = await readFile(file, 'utf8')
    if (name.endsWith('.js') && text.length >= HINTED_LENGTH)
      await writeFile(file, `//# allFunctionsCalledOnLoad\n${text}`)
  }
}

async function digestSources(sources: readonly string[]): Promise<string> {
  const hash = createHash('sha256')
  for (const source of sources) {
    for (const file of await listFiles(source)) hash.update(file).update(await readFile(join(root, file)))
  }
  return hash.digest('hex')
}

async function listFiles(path: string): Promise<readonly string[]> {
  const entries = await readdir(join(root, path), { recursive: true, withFileTypes: true }).catch(
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOTDIR') return null
      if (error.code === 'ENOENT') return []
      throw error
    },
  )
  if (!entries) return [path]
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1))
    .sort()
}

const ENDING = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

async function run({ name, command: [script = '', ...rest], environment }: Product): Promise<void> {
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', join(root, script), ...rest], {
    cwd: root,
    env: childEnvironment(environment),
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const output: Buffer[] = []
  child.stdout.on('data', (chunk: Buffer) => output.push(chunk))
  child.stderr.on('data', (chunk: Buffer) => output.push(chunk))
  // Otherwise the build would go on alone, and the next start would meet it.
  let ended: NodeJS.Signals | null = null
  const end = (signal: NodeJS.Signals) => {
    ended = signal
    child.kill(signal)
  }
  for (const signal of ENDING) process.on(signal, end)
  const code = await new Promise<number | null>((resolve, reject) => child.once('close', resolve).once('error', reject))
  for (const signal of ENDING) process.off(signal, end)
  if (ended !== null) process.kill(process.pid, ended)
  if (code !== 0) throw new BuildFailed(`Building ${name} failed:\n${Buffer.concat(output).toString()}`)
}

if (import.meta.main) await buildIfStale({ pages: true, database: true })
