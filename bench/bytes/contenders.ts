import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import manifest from '../../package.json' with { type: 'json' }
import type { Asked } from './load.ts'
import { startNginx } from './nginx.ts'
import { type Pinned, startPinned } from './pinned.ts'

/** Files per contender: enough that no image's own limit stops the load. */
const IMAGES = 64
const IMAGE_BYTES = 102_400

/** One server and the requests to it. */
export interface Contender {
  readonly name: string
  readonly port: number
  readonly pid: number
  readonly asked: readonly Asked[]
  /** Client addresses in rotation: more of them if a rule set allows each less. */
  readonly addresses: number
}

export interface Contenders extends AsyncDisposable {
  readonly nginx: Contender
  readonly bare: Contender
  /** Variants: limited by `view`, the set of the image, and bytes. */
  readonly renderings: Contender
  /** Originals: limited by `download`, the set of the image, and bytes. */
  readonly originals: Contender
  /** The path of an image that is too large for a socket's buffers; Sluice only. */
  readonly large: string
}

/** The options with which `npm start` runs Node. */
const NODE_OPTIONS = manifest.scripts.start.split(' ').filter((word) => word.startsWith('--'))

const told = z.object({
  port: z.number(),
  paths: z.array(z.object({ path: z.string(), etag: z.string() })),
  large: z.string().default(''),
})

/** Starts all contenders, each in a separate process, and reads every file once. */
export async function startContenders(folder: string): Promise<Contenders> {
  await using started = new AsyncDisposableStack()
  const start = async (file: string, ...args: readonly string[]) => {
    const path = join(import.meta.dirname, file)
    return started.use(await startPinned([process.execPath, ...NODE_OPTIONS, path, ...args]))
  }
  const nginx = started.use(await startNginx(folder, IMAGES, IMAGE_BYTES))
  const bare = await start('bare-server.ts', String(IMAGE_BYTES))
  const sluice = await start('sluice-server.ts', String(IMAGES), String(IMAGE_BYTES))
  const own = await contenderOf('Sluice, renderings', sluice, sluice.pid, 4_093)
  const isRendering = ({ path }: Asked) => path.includes('?')
  const nginxPid = Number(readFileSync(join(folder, 'nginx.pid'), 'utf8'))
  const contenders = {
    nginx: await contenderOf('nginx', nginx, nginxPid, 4_093),
    bare: await contenderOf('node:http from memory', bare, bare.pid, 4_093),
    renderings: { ...own, asked: own.asked.filter(isRendering) },
    originals: {
      ...own,
      name: 'Sluice, originals',
      asked: own.asked.filter((each) => !isRendering(each)),
      addresses: 65_521,
    },
    large: told.parse(sluice.told).large,
  }
  const kept = started.move()
  return { ...contenders, [Symbol.asyncDispose]: () => kept.disposeAsync() }
}

async function contenderOf(name: string, server: Pinned, pid: number, addresses: number): Promise<Contender> {
  const { port, paths } = told.parse(server.told)
  const asked: Asked[] = []
  for (const { path } of paths) {
    // Each by a different client, because the first read is not measured.
    const headers = { 'X-Forwarded-For': `10.255.${Math.floor(asked.length / 10)}.1` }
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, { headers })
    if (answer.status !== 200 || (await answer.arrayBuffer()).byteLength !== IMAGE_BYTES)
      throw new Error(`${name} answered ${answer.status} for ${path}`)
    asked.push({ path, etag: answer.headers.get('etag') })
  }
  return { name, port, pid, asked, addresses }
}
