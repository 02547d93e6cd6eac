import { existsSync } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { CannotStart } from '#server/cannot-start.ts'

/** When run as root, returns an entry of the data folder that belongs to another user: files that root creates there would keep
 *  that user's server from starting. Returns null for other users, or if root owns everything. */
export async function othersFile(dataDir: string): Promise<{ readonly path: string; readonly uid: number } | null> {
  if (process.getuid?.() !== 0) return null
  const names = await readdir(dataDir).catch(() => [])
  // An empty or missing folder belongs to the owner of the nearest existing one.
  const paths = names.length > 0 ? names.map((name) => join(dataDir, name)) : [nearestFolder(dataDir)]
  for (const path of paths) {
    const { uid } = await stat(path)
    if (uid !== 0) return { path, uid }
  }
  return null
}

/** Throws CannotStart, before anything is created, when root would run on the data of another user. */
export async function refuseOthersData(dataDir: string): Promise<void> {
  const others = await othersFile(dataDir)
  if (!others) return
  throw new CannotStart(`${others.path} belongs to another user. Run this as that user, with sudo -u '#${others.uid}'.`)
}

/** Returns the folder, or its nearest existing ancestor. */
const nearestFolder = (folder: string): string => (existsSync(folder) ? folder : nearestFolder(dirname(folder)))
