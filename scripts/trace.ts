import { readFile } from 'node:fs/promises'
import { stripTypeScriptTypes } from 'node:module'
import { extname, join } from 'node:path'
import { nodeFileTrace } from '@vercel/nft'

const root = join(import.meta.dirname, '..')

/** Returns the files that the entry points need when they run: modules, and what these read. `isIgnored` leaves out a file and all
 *  that only it needs. Paths are relative to the repository. */
export async function traceFiles(
  entries: readonly string[],
  isIgnored: (file: string) => boolean = () => false,
): Promise<ReadonlySet<string>> {
  const { fileList } = await nodeFileTrace(
    entries.map((entry) => join(root, entry)),
    {
      base: root,
      // Paths that depend on the working folder are of the owner's files: none exists in this one.
      processCwd: join(root, 'nowhere'),
      ignore: (file) => isIgnored(file) || /\.test\.tsx?$/.test(file),
      readFile: readSource,
    },
  )
  return fileList
}

/** The tracer parses JavaScript. */
async function readSource(path: string): Promise<string | null> {
  // A program, such as Node itself.
  if (extname(path) === '') return ''
  try {
    const source = await readFile(path, 'utf8')
    return path.endsWith('.ts') && !path.endsWith('.d.ts') ? stripTypeScriptTypes(source) : source
  } catch (error) {
    if (error instanceof Error && 'code' in error && ['ENOENT', 'EISDIR'].includes(`${error.code}`)) return null
    throw error
  }
}
