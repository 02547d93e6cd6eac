import { existsSync } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'

/** What of a data folder is another user's than root, who asks: what root writes there is root's from then on, and keeps a server
 *  that is another user from starting. Null for everybody else, and where all is root's. */
export async function othersFile(dataDir: string): Promise<{ readonly path: string; readonly uid: number } | null> {
  if (process.getuid?.() !== 0) return null
  const names = await readdir(dataDir).catch(() => [])
  // Where there is nothing yet, it will be that of whoever has the place for it.
  const paths = names.length > 0 ? names.map((name) => join(dataDir, name)) : [nearestFolder(dataDir)]
  for (const path of paths) {
    const { uid } = await stat(path)
    if (uid !== 0) return { path, uid }
  }
  return null
}

/** The folder itself, or the first above it that is there. */
const nearestFolder = (folder: string): string => (existsSync(folder) ? folder : nearestFolder(dirname(folder)))
