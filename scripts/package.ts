// npm run package: writes dist/, which starts without a build, without development dependencies and without writing to its folder.
import { globSync, readFileSync } from 'node:fs'
import { chmod, copyFile, cp, mkdir, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { z } from 'zod'
import { formatBytes } from '#format/bytes.ts'
import { buildIfStale } from '#server/build.ts'
import about from '../package.json' with { type: 'json' }
import { traceFiles } from './trace.ts'

const root = join(import.meta.dirname, '..')
const dist = join(root, 'dist')

const ENTRIES = [
  'server/main.ts',
  'server/processes/primary.ts',
  'server/check-data.ts',
  'cli/launch.mjs',
  'next.config.ts',
]

/** What is served, or copied by a first start, as a whole. */
const FOLDERS = ['.next/server', '.next/static', 'generated/database', 'public']

/** Next's documentation, its compilers, and runtimes for every kind of page: only what its own traces name is needed. */
const MOST_OF_NEXT =
  /^node_modules\/(@next\/swc-|next\/dist\/(docs|build\/(webpack|swc|babel)|compiled\/next-server)\b)/

const fileList = z.object({ files: z.array(z.string()) })
const readList = (path: string) => fileList.parse(JSON.parse(readFileSync(join(root, path), 'utf8'))).files

await rm(dist, { recursive: true, force: true })
await buildIfStale({ pages: true, database: true })
const files = new Set([...readList('.next/required-server-files.json'), ...traceNext()])
// Without the build, a start trusts what is there (server/ensure-built.ts).
const isNotNeeded = (file: string) => file === 'server/build.ts' || (MOST_OF_NEXT.test(file) && !files.has(file))
for (const file of await traceFiles(ENTRIES, isNotNeeded)) files.add(file)

for (const folder of FOLDERS) await cp(join(root, folder), join(dist, folder), { recursive: true, filter: isRead })
for (const file of files) {
  await mkdir(dirname(join(dist, file)), { recursive: true })
  await copyFile(join(root, file), join(dist, file))
}
await copyFile(join(root, 'deploy/sluice'), join(dist, 'sluice'))
const { name, version, license, type, bin, imports, scripts } = about
const kept = { name, version, license, private: true, type, bin, imports, scripts: { start: scripts.start } }
await writeFile(join(dist, 'package.json'), `${JSON.stringify(kept, null, 2)}\n`)
console.log(`dist/: ${formatBytes(await openToAll(dist), 'en')}`)

/** Returns the files that Next found a production server and its pages to need. */
function traceNext(): readonly string[] {
  const traces = globSync('.next/{*,server/**/*}.nft.json', { cwd: root })
  return traces.flatMap((trace) => readList(trace).map((file) => relative(root, join(root, dirname(trace), file))))
}

function isRead(path: string): boolean {
  return !path.endsWith('.map') && !path.endsWith('.nft.json')
}

/** Lets everybody read, and nobody but the owner write, whatever the umask was. Returns the size in bytes. */
async function openToAll(folder: string): Promise<number> {
  let size = 0
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name)
    const { mode, size: bytes } = await stat(path)
    await chmod(path, entry.isDirectory() || mode & 0o100 ? 0o755 : 0o644)
    size += entry.isFile() ? bytes : 0
  }
  return size
}
