import type { Translate } from '#app/ui/translate.ts'
import type { Formats } from '#format/formats.ts'

export interface Dropped {
  readonly files: readonly File[]
  /** Names of files and folders that could not be read. */
  readonly unread: readonly string[]
  /** The name of the folder, if nothing else was dropped. */
  readonly folder: string | null
}

type Gathered = Omit<Dropped, 'folder'>

/** Returns the files of a drop or a paste, including those in folders but not the hidden ones there. */
export async function readDroppedFiles(transfer: DataTransfer): Promise<Dropped> {
  // The list is emptied after the event, so it is read before the first await.
  const entries = [...transfer.items].map((item) => item.webkitGetAsEntry())
  const files = [...transfer.files]
  if (!entries.some((entry) => entry?.isDirectory)) return { files, unread: [], folder: null }
  const dropped = entries.filter((entry) => entry !== null)
  const [only, ...others] = dropped
  const folder = only?.isDirectory && others.length === 0 ? only.name : null
  return { ...(await gather(dropped)), folder }
}

/** Returns the files of a folder that was chosen, but not the hidden ones in it, and the folder's name. */
export function readChosenFolder(chosen: readonly File[]): Pick<Dropped, 'files' | 'folder'> {
  const paths = chosen.map((file) => ({ file, names: file.webkitRelativePath.split('/') }))
  const files = paths.filter(({ names }) => names.slice(1).every((name) => isShown({ name }))).map(({ file }) => file)
  return { files, folder: paths[0]?.names[0] || null }
}

/** Lists the first three names of what could not be read. */
export function describeUnread(names: readonly string[], t: Translate<'upload'>, format: Formats): string {
  return t('unread', { names: format.parts(names.slice(0, 3)), more: Math.max(0, names.length - 3) })
}

async function gather(entries: readonly FileSystemEntry[]): Promise<Gathered> {
  const found = await Promise.all(entries.map(read))
  return { files: found.flatMap(({ files }) => files), unread: found.flatMap(({ unread }) => unread) }
}

/** Reads an entry. A failure affects no other entry. */
const read = (entry: FileSystemEntry): Promise<Gathered> =>
  filesIn(entry).catch(() => ({ files: [], unread: [entry.name] }))

async function filesIn(entry: FileSystemEntry): Promise<Gathered> {
  if (isFile(entry)) {
    const file = await new Promise<File>((resolve, reject) => entry.file(resolve, reject))
    return { files: [file], unread: [] }
  }
  if (!isFolder(entry)) return { files: [], unread: [] }
  const reader = entry.createReader()
  const entries: FileSystemEntry[] = []
  // A folder is read in parts until one is empty.
  for (;;) {
    const part = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject))
    if (part.length === 0) return gather(entries.filter(isShown))
    entries.push(...part)
  }
}

const isFile = (entry: FileSystemEntry): entry is FileSystemFileEntry => entry.isFile
const isFolder = (entry: FileSystemEntry): entry is FileSystemDirectoryEntry => entry.isDirectory
const isShown = ({ name }: Pick<FileSystemEntry, 'name'>): boolean =>
  !name.startsWith('.') && !/^(?:thumbs\.db|desktop\.ini)$/i.test(name)
