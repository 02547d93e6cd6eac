// npm run demo:corpus -- FOLDER…: uploads every image file in the folders to its own server, reads what was stored, and compares
// the pixels of all frames and the metadata that exiftool finds. Uses a bucket if S3_… is set.
import { readFileSync } from 'node:fs'
import { glob, stat } from 'node:fs/promises'
import { sniffFormat } from '#server/images/format.ts'
import { BadFileTrials } from '../testing/images/bad-file-trials.ts'
import type { BadFile } from '../testing/images/bad-files.ts'
import { startApp } from '../testing/sluice/sluice-app.ts'

const EXTENSIONS = '{jpg,jpeg,JPG,JPEG,png,PNG,apng,gif,GIF,webp,avif}'
const STATUSES = [200, 413, 415, 422]

const folders = process.argv.slice(2)
if (folders.length === 0) throw new Error('usage: npm run demo:corpus -- FOLDER…')

await using server = await startApp(s3Settings(process.env))
const trials = new BadFileTrials(server, await server.person({ role: 'superadmin' }))
const results = await trials.attemptAll(await filesBelow(folders), 2)

console.log(`${results.length} files, stored in ${server.app.images.store.description}`)
console.table(counts(results.map(({ file, status }) => ({ row: file.format, column: String(status) }))))
for (const { file, status } of results) if (status !== 200) console.log(`${status} ${file.name}`)
const slowest = results.toSorted((a, b) => b.ms - a.ms)[0]
if (slowest) console.log(`slowest: ${slowest.file.name} ${Math.round(slowest.ms)} ms`)
const wrong = results.flatMap(({ file, problem }) => (problem ? [`${file.name} ${problem}`] : []))
const problems = [...wrong, ...(await trials.problemsBehind())]
for (const problem of problems) console.error(problem)
console.log(`${problems.length} problems`)
process.exitCode = problems.length > 0 ? 1 : 0

/** The files to upload, each read when its turn comes. */
async function filesBelow(roots: readonly string[]): Promise<Iterable<BadFile>> {
  const names = new Set<string>()
  for (const root of roots) {
    for await (const name of glob(`${root}/**/*.${EXTENSIONS}`)) if ((await stat(name)).isFile()) names.add(name)
  }
  return Iterator.from([...names].sort()).map(fileAt)
}

function fileAt(name: string): BadFile {
  const bytes = readFileSync(name)
  const format = sniffFormat(bytes)
  return {
    class: 'real',
    format: format === null || format === 'heic' ? 'foreign' : format,
    name,
    bytes,
    expected: STATUSES,
  }
}

function counts(cells: readonly { row: string; column: string }[]) {
  const rows = Map.groupBy(cells, ({ row }) => row)
  const columns = (row: readonly { column: string }[]) =>
    Object.fromEntries(
      Array.from(
        Map.groupBy(row, ({ column }) => column),
        ([column, same]) => [column, same.length],
      ),
    )
  return Object.fromEntries(Array.from(rows, ([row, same]) => [row, columns(same)]))
}

function s3Settings(environment: NodeJS.ProcessEnv): Record<string, string> {
  return Object.fromEntries(
    Object.entries(environment).flatMap(([name, value]) => (name.startsWith('S3_') && value ? [[name, value]] : [])),
  )
}
