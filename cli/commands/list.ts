import { formatBytes } from '#format/bytes.ts'
import { formatUtcMinute } from '#format/dates.ts'
import type { ImageItem } from '#server/images/image-item.ts'
import { readArguments, readNone, readNumber } from '../arguments.ts'
import { exitCodes, type Io, print, printJson } from '../command.ts'
import { withServer } from '../connection/with-server.ts'
import { myImages } from '../files/stored-images.ts'
import { table } from '../terminal/table.ts'

const MOST = 1_000_000

/** Lists the user's images, newest first. */
export async function list(argv: readonly string[], io: Io): Promise<number> {
  const { values, positionals } = readArguments(argv, {
    trash: { type: 'boolean' },
    limit: { type: 'string' },
    json: { type: 'boolean' },
    'no-wait': { type: 'boolean' },
  })
  readNone(positionals)
  const limit = readNumber('limit', values.limit, { min: 1, max: MOST, otherwise: MOST })
  return withServer(io, { waits: !values['no-wait'] }, async (connection) => {
    const images: ImageItem[] = []
    for await (const image of myImages(connection, { trash: values.trash === true })) {
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
