import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { freePort } from './free-port.ts'
import { spawnKept } from './kept-process.ts'

/** nginx with its cache in front of a server, on a free port of the loopback. */
export interface Nginx extends AsyncDisposable {
  readonly origin: string
}

const GUIDE = join(import.meta.dirname, '../../docs/behind-a-proxy.md')
const START_WITHIN_MS = 60_000

/** Returns the path of the machine's nginx; null if it is missing. Debian's is in a folder that not every user's PATH has. */
export function findNginx(): string | null {
  const folders = [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin']
  return folders.map((folder) => join(folder, 'nginx')).find((path) => existsSync(path)) ?? null
}

/** Starts nginx with the configuration of docs/behind-a-proxy.md, cache included, in front of the servers at these ports. Only what
 *  belongs to a machine is replaced: addresses, folders and TLS. The header `Cache-Outcome` is added to answers. */
export async function startNginx(...ports: readonly string[]): Promise<Nginx> {
  const folder = await mkdtemp(join(tmpdir(), 'sluice-nginx-'))
  const own = await freePort()
  const file = join(folder, 'nginx.conf')
  await writeFile(file, toConfiguration(await readGuide(), { folder, listen: own, ports }))
  const child = spawnKept({
    command: [findNginx() ?? 'nginx', '-c', file, '-p', folder, '-e', 'stderr'],
    stopSignal: 'TERM',
    folder,
  })
  const exited = once(child, 'exit')
  let errors = ''
  child.stderr.on('data', (chunk: Buffer) => {
    errors += chunk
  })
  const origin = `http://127.0.0.1:${own}`
  const deadline = performance.now() + START_WITHIN_MS
  while (!(await fetch(origin).then(drained, () => false))) {
    if (child.exitCode !== null || performance.now() > deadline) throw new Error(`nginx did not start:\n${errors}`)
    await delay(20)
  }
  return {
    origin,
    [Symbol.asyncDispose]: async () => {
      child.kill('SIGTERM')
      await exited
    },
  }
}

const drained = async (answer: Response) => {
  await answer.body?.cancel()
  return true
}

interface Guide {
  readonly server: string
  /** The upstream of several servers. */
  readonly several: string
  /** What the guide adds for a cache: beside the server, and in it. */
  readonly cache: string
  readonly location: string
  /** What it adds for versions side by side: beside the server, and in it. */
  readonly assetCache: string
  readonly assets: string
}

async function readGuide(): Promise<Guide> {
  const text = await readFile(GUIDE, 'utf8')
  const blocks = [...text.matchAll(/^```nginx\n(.*?)^```$/gms)].map(([, block = '']) => block)
  const find = (part: string) => {
    const block = blocks.find((each) => each.includes(part))
    if (block === undefined) throw new Error(`${GUIDE} has no block of nginx with ${part}`)
    return block
  }
  const several = find('127.0.0.1:3002')
  return {
    server: find('listen 443'),
    several,
    cache: find('keys_zone=sluice'),
    location: find('location /i/'),
    assetCache: find('keys_zone=assets'),
    assets: find('location /_next/static/'),
  }
}

interface Place {
  readonly folder: string
  readonly listen: number
  readonly ports: readonly string[]
}

function toConfiguration(
  { server, several, cache, location, assetCache, assets }: Guide,
  { folder, listen, ports }: Place,
): string {
  const own = `listen 127.0.0.1:${listen};\nadd_header Cache-Outcome $upstream_cache_status always;\n${location}${assets}`
  const upstream = toUpstream(ports.length > 1 ? several : server, ports)
  const replaced = `${cache}\n${assetCache}\n${server}`
    .replace(UPSTREAM, () => upstream)
    .replace(/listen 443 ssl;.*\n/, () => own)
    .replace(/^ *(http2 on|ssl_\w+ .*|server_name .*);.*\n/gm, '')
    .replaceAll('/var/cache/nginx/', `${folder}/cache-`)
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
  return `
daemon off;
master_process off;
pid ${folder}/nginx.pid;
events { worker_connections 256; }
http {
access_log off;
${temporary.map((name) => `${name}_temp_path ${folder}/${name};`).join('\n')}
${replaced}
}
`
}

const UPSTREAM = /^upstream sluice \{.*?^\}$/ms

/** The guide's upstream with its first line of a server repeated for each port. */
function toUpstream(block: string, ports: readonly string[]): string {
  const [line = ''] = /^ *server 127.*\n/m.exec(block) ?? []
  const lines = ports.map((port) => line.replace(/(?<=127\.0\.0\.1:)\d+/, port)).join('')
  return (UPSTREAM.exec(block)?.[0] ?? '').replace(/(?:^ *server 127.*\n)+/m, lines)
}
