import { join } from 'node:path'
import type { Config } from '#server/config.ts'
import type { PrismaClient, Transaction } from '#server/database/database.ts'
import type { ObjectStore } from '#server/storage/object-store.ts'
import { openTempFolder } from '#server/storage/temp-folder.ts'
import { acceptUpload, type Upload, type UploadOutcome } from './accept-upload.ts'
import type { Decoder } from './decoder.ts'
import { DecoderPool } from './decoder-pool.ts'
import { createDownloadLinks, type DownloadLinks } from './download-link.ts'
import { purgeRow, removeLeftovers, removeObject } from './object-removal.ts'

/** What exists once a process for images: their store, their decoders and the folder where uploads grow. */
export interface Images {
  readonly store: ObjectStore
  readonly decoder: Decoder
  readonly downloadLinks: DownloadLinks
  /** Takes a file in; a refusal is a value. */
  accept(upload: Upload): Promise<UploadOutcome>
  /** Removes an image from the trash for good. False when it does not lie there any more. */
  purge(image: { readonly id: string; readonly sha256: string }): Promise<boolean>
  /** Removes every row of a user's images; `removeUnused`, after the transaction, removes bytes. */
  purgeAllOf(tx: Transaction, userId: string): Promise<void>
  /** Removes the bytes that no image needs any more. A store that fails is logged, and asked again at the next start. */
  removeUnused(): Promise<void>
  /** Throws, saying what to change, when the object store does not work. */
  checkStore(): Promise<void>
  /** Ends the decoders; uploads under way hear that the server is busy. */
  close(): Promise<void>
}

export interface ImagesOptions {
  readonly db: PrismaClient
  readonly store: ObjectStore
  readonly config: Pick<Config, 'dataDir' | 'maxUploadBytes' | 'secret'>
  readonly log: { error(details: object, message: string): void }
  /** The pool of child processes unless a test brings another. */
  readonly decoder?: Decoder
}

/** Opens the temp folder and finishes what a crash left of removals. */
export async function createImages({ db, store, config, log, ...options }: ImagesOptions): Promise<Images> {
  const temp = await openTempFolder(join(config.dataDir, 'tmp'))
  const decoder = options.decoder ?? new DecoderPool()
  const parts = { db, store, decoder, temp, maxBytes: config.maxUploadBytes }
  const leaveForLater = (error: unknown) => log.error({ err: error }, 'unused bytes could not be removed yet')
  const images: Images = {
    store,
    decoder,
    downloadLinks: createDownloadLinks(config.secret),
    accept: (upload) => acceptUpload(parts, upload),
    async purge(image) {
      const purged = await db.$transaction((tx) => purgeRow(tx, image))
      if (purged) await removeObject(db, store, image.sha256).catch(leaveForLater)
      return purged
    },
    purgeAllOf,
    removeUnused: () => removeLeftovers(db, store).catch(leaveForLater),
    checkStore: () => store.check(),
    close: () => decoder.close(),
  }
  await images.removeUnused()
  return images
}

async function purgeAllOf(tx: Transaction, userId: string): Promise<void> {
  await tx.image.updateMany({ where: { ownerId: userId, trashedAt: null }, data: { trashedAt: new Date() } })
  // In the order of their hashes, so that two deletions never wait for each other.
  const orderBy = { sha256: 'asc' } as const
  const images = await tx.image.findMany({ where: { ownerId: userId }, select: { id: true, sha256: true }, orderBy })
  for (const image of images) await purgeRow(tx, image)
}
