import { join } from 'node:path'
import type { Config } from '#server/config.ts'
import type { PrismaClient, Transaction } from '#server/database/database.ts'
import type { ObjectStore } from '#server/storage/object-store.ts'
import { openTempFolder } from '#server/storage/temp-folder.ts'
import { acceptUpload, type Upload, type UploadOutcome } from './accept-upload.ts'
import type { Decoder } from './decoder/decoder.ts'
import { DecoderPool } from './decoder/pool.ts'
import { createDownloadLinks, type DownloadLinks } from './download-link.ts'
import { purgeRow, purgeRowsOf } from './object-removal.ts'
import { Removals } from './removals.ts'

/** What exists once a process for images: their store, their decoders and the folder where uploads grow. */
export interface Images {
  readonly store: ObjectStore
  readonly decoder: Decoder
  readonly downloadLinks: DownloadLinks
  readonly removals: Removals
  /** Takes a file in; a refusal is a value. */
  accept(upload: Upload): Promise<UploadOutcome>
  /** Removes an image from the trash for good, and bytes behind. False when it does not lie there any more. */
  purge(image: { readonly id: string; readonly sha256: string }): Promise<boolean>
  /** Removes all images of a user in the transaction that deletes the user, and bytes behind, if it is committed. */
  purgeAllOf(tx: Transaction, userId: string): Promise<void>
  /** Throws, saying what to change, when the object store does not work. */
  checkStore(): Promise<void>
  /** Ends the decoders, so that uploads under way hear that the server is busy, and waits for a removal under way. */
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

/** Opens the temp folder; what a crash left of removals is finished behind. */
export async function createImages({ db, store, config, log, ...options }: ImagesOptions): Promise<Images> {
  const temp = await openTempFolder(join(config.dataDir, 'tmp'))
  const decoder = options.decoder ?? new DecoderPool()
  const removals = new Removals({ db, store, log })
  removals.addLeftovers()
  const parts = { db, store, decoder, removals, temp, maxBytes: config.maxUploadBytes }
  return {
    store,
    decoder,
    downloadLinks: createDownloadLinks(config.secret),
    removals,
    accept: (upload) => acceptUpload(parts, upload),
    async purge(image) {
      const purged = await db.$transaction((tx) => purgeRow(tx, image))
      if (purged) removals.add([image.sha256])
      return purged
    },
    purgeAllOf: async (tx, userId) => removals.add(await purgeRowsOf(tx, userId)),
    checkStore: () => store.check(),
    async close() {
      await decoder.close()
      await removals.close()
    },
  }
}
