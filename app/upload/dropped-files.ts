export interface Dropped {
  readonly files: readonly File[]
  /** Names of what could not be read. */
  readonly unread: readonly string[]
}

/** The files of a drop or a paste, those within dropped folders too, but for what systems hide there. */
export async function filesOf(transfer: DataTransfer): Promise<Dropped> {
  // The list is emptied as soon as the event is over: everything is taken from it before the first wait.
  const entries = [...transfer.items].map((item) => item.webkitGetAsEntry())
  const files = [...transfer.files]
  if (!entries.some((entry) => entry?.isDirectory)) return { files, unread: [] }
  return gather(entries.filter((entry) => entry !== null))
}

/** Names the first few. */
export function unreadWords(names: readonly string[]): string {
  const more = names.length - 3
  return `Could not be read: ${names.slice(0, 3).join(', ')}${more > 0 ? ` and ${more} more` : ''}.`
}

async function gather(entries: readonly FileSystemEntry[]): Promise<Dropped> {
  const found = await Promise.all(entries.map(read))
  return { files: found.flatMap(({ files }) => files), unread: found.flatMap(({ unread }) => unread) }
}

/** What cannot be read takes nothing else with it. */
const read = (entry: FileSystemEntry): Promise<Dropped> =>
  filesIn(entry).catch(() => ({ files: [], unread: [entry.name] }))

async function filesIn(entry: FileSystemEntry): Promise<Dropped> {
  if (isFile(entry)) {
    const file = await new Promise<File>((resolve, reject) => entry.file(resolve, reject))
    return { files: [file], unread: [] }
  }
  if (!isFolder(entry)) return { files: [], unread: [] }
  const reader = entry.createReader()
  const entries: FileSystemEntry[] = []
  // A folder is read in parts, the last of them empty.
  for (;;) {
    const part = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject))
    if (part.length === 0) return gather(entries.filter(isShown))
    entries.push(...part)
  }
}

const isFile = (entry: FileSystemEntry): entry is FileSystemFileEntry => entry.isFile
const isFolder = (entry: FileSystemEntry): entry is FileSystemDirectoryEntry => entry.isDirectory
const isShown = ({ name }: FileSystemEntry): boolean =>
  !name.startsWith('.') && !/^(?:thumbs\.db|desktop\.ini)$/i.test(name)
