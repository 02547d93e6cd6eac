import { formatBytes } from '#format/bytes.ts'
import { formatUtcMinute } from '#format/dates.ts'
import type { ImageItem } from '#server/images/image-item.ts'
import { readArguments, readChoice, readNone, readNumber, readWaiting, waitingOptions } from '../arguments.ts'
import { exitCodes, type Io, print, printJson } from '../command.ts'
import { withServer } from '../connection/with-server.ts'
import { findAlbum } from '../files/albums.ts'
import { imageSorts, myImages } from '../files/stored-images.ts'
import { table } from '../terminal/table.ts'

const MOST = 1_000_000

/** Lists the user's images: all, or those of an album, with a tag, or that a text finds. */
export async function list(argv: readonly string[], io: Io): Promise<number> {
  const { values, positionals } = readArguments(argv, {
    album: { type: 'string' },
    tag: { type: 'string' },
    text: { type: 'string' },
    sort: { type: 'string' },
    trash: { type: 'boolean' },
    limit: { type: 'string' },
    json: { type: 'boolean' },
    ...waitingOptions,
  })
  readNone(positionals)
  const { album, tag, text, trash } = values
  const sort = values.sort === undefined ? undefined : readChoice('sort', values.sort, imageSorts)
  const limit = readNumber('limit', values.limit, { min: 1, max: MOST, otherwise: MOST })
  return withServer(io, readWaiting(values), async (connection) => {
    const images: ImageItem[] = []
    const query = {
      ...(album !== undefined && { album: (await findAlbum(connection, album)).id }),
      ...(tag !== undefined && { tag }),
      ...(text !== undefined && { text }),
    }
    for await (const image of myImages(connection, { trash: trash === true, query, sort })) {
      if (images.push(image) === limit) break
    }
    if (values.json) printJson(io, { items: images })
    else {
      const rows = images.map(({ id, createdAt, size, visibility, url, filename }) => {
        return [id, formatUtcMinute(createdAt), formatBytes(size, 'en'), visibility, url ?? '', filename ?? '']
      })
      for (const line of table(rows)) print(io, line)
    }
    return exitCodes.done
  })
}
