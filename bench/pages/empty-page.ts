import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { freePort } from '#testing/servers/free-port.ts'
import { spawnKept } from '#testing/servers/kept-process.ts'

const root = join(import.meta.dirname, '../..')
// In the repository, so that the packages are found; the bundler takes nothing in node_modules for an application.
const folder = join(root, '.empty-page')
const next = createRequire(import.meta.url).resolve('next/dist/bin/next')

const files = {
  'package.json': JSON.stringify({ type: 'module' }),
  'next.config.mjs': `export default ${JSON.stringify({ turbopack: { root } })}`,
  'app/layout.js': 'export default ({ children }) => <html lang="en"><body>{children}</body></html>',
  'app/page.js': "export const dynamic = 'force-dynamic'\nexport default () => <h1>Empty</h1>",
}

export interface EmptyPage extends AsyncDisposable {
  readonly url: string
}

/** Builds and serves a page with a heading and nothing else: what Next and React themselves cost a visitor. */
export async function startEmptyPage(): Promise<EmptyPage> {
  await rm(folder, { recursive: true, force: true })
  await mkdir(join(folder, 'app'), { recursive: true })
  for (const [file, text] of Object.entries(files)) await writeFile(join(folder, file), text)
  const env = { ...process.env, NODE_ENV: 'production' as const, NEXT_TELEMETRY_DISABLED: '1' }
  execFileSync(process.execPath, [next, 'build', folder], { env, stdio: ['ignore', 'ignore', 'inherit'] })
  const port = await freePort()
  const server = spawnKept({
    command: [process.execPath, next, 'start', folder, '-H', '127.0.0.1', '-p', `${port}`],
    env,
    stopSignal: 'TERM',
  })
  const exited = once(server, 'exit')
  const url = `http://127.0.0.1:${port}/`
  await untilServed(url)
  return {
    url,
    async [Symbol.asyncDispose]() {
      server.kill('SIGTERM')
      await exited
      await rm(folder, { recursive: true })
    },
  }
}

async function untilServed(url: string): Promise<void> {
  for (let tries = 0; tries < 100; tries += 1) {
    const answer = await fetch(url).catch(() => null)
    if (answer?.ok) return
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  throw new Error(`${url} is not served`)
}
