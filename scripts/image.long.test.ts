import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { cp, mkdtempDisposable } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { picture } from '#testing/images/pictures.ts'
import { freePort } from '#testing/servers/free-port.ts'
import { ensureServers, thisMachine } from './ensure-servers.ts'

const run = promisify(execFile)
const root = join(import.meta.dirname, '..')
const PASSWORD = 'a harbour at night\n'

/** Of the image, as `docker run` uses it. */
const imageConfig = z.object({
  User: z.string(),
  Env: z.array(z.string()),
  Cmd: z.array(z.string()),
  WorkingDir: z.string(),
  StopSignal: z.string(),
  Volumes: z.record(z.string(), z.unknown()),
  Healthcheck: z.object({ Test: z.array(z.string()) }),
})

const ended = new AsyncDisposableStack()
let port: string
let origin: string
let config: z.infer<typeof imageConfig>
let rootfs: string
let server: ReturnType<typeof spawn>
const logs: string[] = []

beforeAll(async () => {
  ensureServers(
    thisMachine,
    ['buildah', 'debootstrap'].map((name) => ({
      name,
      packages: [name],
      isThere: () => existsSync(`/usr/bin/${name}`) || existsSync(`/usr/sbin/${name}`),
    })),
  )
  const folder = ended.use(await mkdtempDisposable(join(tmpdir(), 'sluice-image-'))).path
  const store = ['--root', join(folder, 'store'), '--runroot', join(folder, 'run')]
  const buildah = async (...args: readonly string[]) =>
    (await run('buildah', [...store, ...args], { cwd: root, maxBuffer: 2 ** 26 })).stdout.trim()
  await makeBases(buildah, join(folder, 'base'))
  await buildah('bud', '--isolation=chroot', '--network=host', '--pull-never', '--format=docker', '--tag=sluice', '.')
  config = imageConfig.parse(JSON.parse(await buildah('inspect', '--type=image', 'sluice')).Docker.config)
  rootfs = await buildah('mount', await buildah('from', '--pull-never', 'sluice'))
  ended.defer(async () => void (await buildah('umount', '--all')))
  // A new volume has the content and the owner of its folder in the image.
  await cp(join(rootfs, 'data'), join(folder, 'data'), { recursive: true, preserveTimestamps: true })
  await run('chown', ['--reference', join(rootfs, 'data'), join(folder, 'data')])
  port = String(await freePort())
  origin = `http://127.0.0.1:${port}`
  server = spawn('unshare', [
    '--mount',
    'sh',
    '-euc',
    CONTAINER,
    'sh',
    rootfs,
    join(folder, 'data'),
    ...inside(config.Cmd),
  ])
  for (const stream of [server.stdout, server.stderr]) stream?.on('data', (chunk) => logs.push(String(chunk)))
  ended.defer(() => void server.kill('SIGKILL'))
}, 3_600_000)
afterAll(() => ended.disposeAsync())

/** Mounts what Docker would mount: the image read-only, the volume, and a temporary folder. */
const CONTAINER = `
  root=$1; data=$2; shift 2
  mount --bind "$root" "$root"; mount -o remount,ro,bind "$root"
  mount --bind "$data" "$root/data"; mount -t tmpfs tmpfs "$root/tmp"
  mount --rbind /dev "$root/dev"; mount -t proc proc "$root/proc"
  exec chroot --userspec=1000:1000 "$root" "$@"`

/** Returns a command as the image runs it. */
const inside = (command: readonly string[]) => [
  ...[
    '/usr/bin/env',
    '-i',
    '-C',
    config.WorkingDir,
    ...config.Env,
    `PORT=${port}`,
    `SLUICE_ORIGIN=${origin}`,
    'HOME=/tmp',
  ],
  ...command,
]

/** Runs a command in the container, as `docker exec` does. */
async function exec(
  command: readonly string[],
  stdin = '',
): Promise<{ code: number | null; stdout: string; stderr: string }> {
  const child = spawn('nsenter', [
    '--mount',
    '--target',
    String(server.pid),
    'chroot',
    '--userspec=1000:1000',
    rootfs,
    ...inside(command),
  ])
  child.stdin.end(stdin)
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')])
  return { code: child.exitCode, stdout, stderr }
}

const health = async () => (await exec(config.Healthcheck.Test.slice(1))).code

/** Makes images that stand in for those of the Dockerfile, which a registry would have: Debian, and Node's with npm. */
async function makeBases(buildah: (...args: readonly string[]) => Promise<string>, folder: string): Promise<void> {
  await run('debootstrap', ['--variant=minbase', 'bookworm', folder], { maxBuffer: 2 ** 26 })
  const debian = await buildah('from', 'scratch')
  await buildah('add', '--quiet', debian, folder, '/')
  await buildah('commit', '--quiet', debian, 'debian:bookworm-slim')
  const node = await buildah('from', '--pull-never', 'debian:bookworm-slim')
  const npm = join((await run('sh', ['-c', 'readlink -f "$(command -v npm)"'])).stdout.trim(), '../..')
  await buildah('add', '--quiet', node, process.execPath, '/usr/local/bin/node')
  await buildah('add', '--quiet', node, npm, '/usr/local/lib/node_modules/npm')
  await buildah(
    'run',
    '--isolation=chroot',
    node,
    'ln',
    '-s',
    '../lib/node_modules/npm/bin/npm-cli.js',
    '/usr/local/bin/npm',
  )
  // What this machine needs to reach the registry.
  await buildah('add', '--quiet', node, '/etc/ssl/certs/ca-certificates.crt', '/etc/ssl/certs/ca-certificates.crt')
  await buildah('config', '--env=NODE_EXTRA_CA_CERTS=/etc/ssl/certs/ca-certificates.crt', node)
  await buildah('commit', '--quiet', node, 'node:24-bookworm-slim')
}

test('the image runs as a user without rights, keeps its data in a volume, and is healthy', async () => {
  await expect.poll(() => health(), { timeout: 100_000 }).toBe(0)
  expect(config).toMatchObject({ User: 'sluice', StopSignal: 'SIGTERM', Volumes: { '/data': {} } })
  expect(logs.join('')).toContain('Nobody has an account yet.')
  // What Node compiles for a start is kept for this user, version and set of flags: their folder has the files.
  const compiled = await exec(['sh', '-c', 'find /var/cache/sluice -type f | wc -l'])
  expect(Number(compiled.stdout)).toBeGreaterThan(1000)
})

test('an image is uploaded, seen and downloaded by the command of the image, over a read-only root', async () => {
  expect(await exec(['touch', '/app/x'])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('Read-only file system'),
  })
  expect(await exec(['sluice', 'user', 'create', 'ann', '--role', 'superadmin'], PASSWORD)).toMatchObject({ code: 0 })
  const login = ['sluice', 'login', '--url', origin, '--user', 'ann', '--password-stdin']
  expect(await exec(login, PASSWORD)).toMatchObject({ code: 0 })
  const photo = await picture()
  await exec(['sh', '-c', 'base64 -d > /tmp/photo.jpg'], photo.toString('base64'))
  const { code, stdout } = await exec(['sluice', 'upload', '--visibility', 'link', '/tmp/photo.jpg'])
  expect([code, stdout]).toEqual([0, expect.stringMatching(/^http:.*\.jpg\n$/)])
  const seen = await fetch(stdout.trim())
  expect([seen.status, seen.headers.get('content-type')]).toEqual([200, 'image/jpeg'])
  const slug = /([\w-]+)\.jpg$/.exec(stdout.trim())?.[1]
  const page = await fetch(`${origin}/image/${slug}`)
  expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('<title>photo · Sluice</title>')])
  expect(await exec(['sluice', 'download', '--to', '/tmp/saved', slug ?? ''])).toMatchObject({ code: 0 })
  const saved = await exec(['base64', '-w0', '/tmp/saved/photo.jpg'])
  expect(Buffer.from(saved.stdout, 'base64')).toEqual(Buffer.from(await seen.arrayBuffer()))
})

test('takes at most 520 MB with Node', async () => {
  const { stdout } = await run('du', ['--summarize', '--block-size=1000000', join(rootfs, 'app')])
  expect(Number.parseInt(stdout, 10)).toBeLessThanOrEqual(520)
})

test('stops on its signal, with nothing lost', async () => {
  server.kill('SIGTERM')
  const [code] = await once(server, 'exit')
  expect(code).toBe(0)
})
