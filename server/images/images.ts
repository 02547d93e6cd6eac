import { join } from 'node:path'
import type { Config } from '#server/config.ts'
import type { PrismaClient, Transaction } from '#server/database/database.ts'
import { transact } from '#server/database/transact.ts'
import type { JobQueue } from '#server/jobs/job-queue.ts'
import type { Site } from '#server/site/site.ts'
import type { ObjectStore } from '#server/storage/object-store.ts'
import { openTempFolder } from '#server/storage/temp-folder.ts'
import type { BrandKind } from './brand.ts'
import type { Decoder } from './decoder/decoder.ts'
import { DecoderPool } from './decoder/pool.ts'
import { formats } from './format.ts'
import { forgetPhotoDetails } from './image-rows.ts'
import { createDownloadLinks, type DownloadLinks } from './links/download-link.ts'
import { CleaningJobs } from './maintenance/cleaning-jobs.ts'
import { workMaintenance } from './maintenance/maintenance-jobs.ts'
import { VariantJobs } from './maintenance/variant-jobs.ts'
import { toTitle, withoutHeic } from './names.ts'
import type { InsertOptions, NewImage } from './storing/insert-image.ts'
import { lockUserObjects, purgeRow, purgeRows, purgeSomeUserRows, purgeUserRows } from './storing/purge-rows.ts'
import { type Room, readRoom } from './storing/quota.ts'
import { Removals } from './storing/removals.ts'
import type { StoreOutcome, StoringParts } from './storing/store-image.ts'
import { Following } from './uploading/following.ts'
import { KeptPictures } from './uploading/kept-pictures.ts'
import { type ReceivedBrand, type ReceivedSquare, receiveBrand, receiveSquare } from './uploading/receive-rendered.ts'
import { type ReceivedUpload, type RefusedUpload, receiveUpload, type Upload } from './uploading/receive-upload.ts'
import { type Storable, storeReceived } from './uploading/store-received.ts'
import { createZipLinks, type ZipLinks } from './zip/zip-link.ts'

/** The services for images, one instance per process. */
export interface Images {
  readonly store: ObjectStore
  readonly decoder: Decoder
  readonly downloadLinks: DownloadLinks
  readonly zipLinks: ZipLinks
  /** Receives and verifies a file, to be stored; a refusal is a value. */
  receive(upload: Upload): Promise<ReceivedUpload | RefusedUpload>
  /** Receives a logo or an icon of up to `maxBytes` and renders it; a refusal is a value. */
  receiveBrand(kind: BrandKind, upload: Upload, maxBytes: number): Promise<ReceivedBrand | RefusedUpload>
  /** Receives and verifies a file of at most `maxBytes`, and returns a small square of it; a refusal is a value. */
  receiveSquare(upload: SquareUpload): Promise<ReceivedSquare | RefusedUpload>
  /** Stores a received file; a refusal is a value. Larger variants may follow. */
  storeReceived(received: Storable, image: Omit<NewImage, 'title'>): Promise<StoreOutcome>
  /** Returns a user's storage use and quota; null for an unknown or banned user. */
  readRoom(ownerId: string): Promise<Room | null>
  /** Forgets when and with what a user's images were taken; returns how many it had for. */
  forgetPhotoDetails(ownerId: string): Promise<number>
  /** Permanently deletes an image in the trash, and calls `audit` in the same transaction; a job deletes its bytes. Returns false if it
   *  is not in the trash any more. */
  purge(
    image: { readonly id: string; readonly sha256: string },
    audit: (tx: Transaction) => Promise<void>,
  ): Promise<boolean>
  /** The same for several images, in one transaction; returns those that were in the trash. */
  purgeMany(
    ids: readonly string[],
    audit: (tx: Transaction, purged: readonly string[]) => Promise<void>,
  ): Promise<readonly string[]>
  /** Locks the objects of all images of a user, for `purgeUserImages`. Call it before the transaction locks any user. */
  lockUserImages(tx: Transaction, userId: string): Promise<readonly string[]>
  /** Deletes all images of a user in the transaction that deletes the user; a job deletes their bytes. Throws Conflict. */
  purgeUserImages(tx: Transaction, userId: string, locked: readonly string[]): Promise<void>
  /** Deletes up to `most` images of a banned user, in the trash or not, and returns them. */
  purgeSomeUserImages(tx: Transaction, userId: string, most: number): Promise<readonly string[]>
  /** Re-creates the variants of an object in the background, because one is missing or damaged. Rejects if the database fails. */
  variantLost(sha256: string): Promise<void>
  /** Throws, with what to change, if the object store does not work. */
  checkStore(): Promise<void>
  /** Resolves when no variants of stored images are still to follow. */
  followed(): Promise<void>
  /** Waits some seconds for variants that follow, then closes the decoders; uploads under way fail as busy. */
  close(): Promise<void>
}

/** How long a stopping server waits for variants that follow answers; a job makes what is left. */
const FOLLOWING_MS = 8_000

type SquareUpload = Pick<Upload, 'body' | 'signal' | 'lane'> & { readonly maxBytes: number }

export interface ImagesOptions {
  readonly db: PrismaClient
  readonly store: ObjectStore
  readonly jobs: JobQueue
  readonly config: Pick<Config, 'dataDir' | 'secret'>
  readonly site: Pick<Site, 'read'>
  readonly log: { info(details: object, message: string): void; error(details: object, message: string): void }
  /** Counts what an upload adds to what is stored; see StoringParts. */
  readonly countStored?: StoringParts['countStored']
  /** Called for each image that is stored; see InsertOptions. */
  readonly onStored?: InsertOptions['onStored']
  /** A pool of child processes, except in tests. */
  readonly decoder?: Decoder
}

/** Opens the temp folder and starts the jobs of images, which complete what a crash has interrupted. */
export async function createImages({ db, store, jobs, config, site, log, ...options }: ImagesOptions): Promise<Images> {
  const temp = await openTempFolder(join(config.dataDir, 'tmp'))
  const decoder = options.decoder ?? new DecoderPool()
  const removals = new Removals(db, jobs)
  await removals.work(store)
  const variants = new VariantJobs(db, jobs)
  const unneeded = (tx: Transaction, sha256: string) => removals.add(tx, [sha256])
  await variants.work({ db, store, decoder, temp, unneeded })
  const cleanings = new CleaningJobs(db, jobs)
  await cleanings.work({ db, store, decoder, temp, removals })
  const finishForgotten = async () => {
    await removals.addForgotten()
    await variants.addDue()
    await cleanings.addDue()
  }
  const trashDays = () => site.read().trashDays
  await workMaintenance(jobs, { db, store, temp, log, removals, finishForgotten, trashDays })
  await finishForgotten()
  const { countStored, onStored } = options
  const storing: StoringParts = {
    ...{ db, store, unneeded, countStored, onStored },
    get siteQuota() {
      return site.read().quotaBytes
    },
  }
  const pictures = new KeptPictures(temp)
  const notFollowed = (sha256: string) => variants.notFollowed(sha256)
  const following = new Following({ db, store, log, unneeded, notFollowed })
  const purge: Images['purge'] = (image, audit) =>
    transact(db, async (tx) => {
      if (!(await purgeRow(tx, image))) return false
      await removals.add(tx, [image.sha256])
      await audit(tx)
      return true
    })
  const removed = async (tx: Transaction, { purged, unneeded }: Awaited<ReturnType<typeof purgeRows>>) => {
    await removals.add(tx, unneeded)
    return purged
  }
  return {
    store,
    decoder,
    downloadLinks: createDownloadLinks(config.secret),
    zipLinks: createZipLinks(config.secret),
    receive: (upload) => receiveUpload({ decoder, temp, pictures, maxBytes: site.read().maxUploadBytes }, upload),
    receiveBrand: (kind, upload, maxBytes) => receiveBrand({ decoder, temp, maxBytes }, kind, upload),
    receiveSquare: ({ maxBytes, ...upload }) => receiveSquare({ decoder, temp, maxBytes }, upload),
    storeReceived: (received, { filename: given, ...image }) => {
      const { format, uploadSha256 } = received.file
      const named = given || `image.${formats[format].extension}`
      const filename = uploadSha256 === null ? named : withoutHeic(named)
      return storeReceived(storing, following, received, { ...image, filename, title: toTitle(filename) })
    },
    readRoom: (ownerId) => readRoom(db, ownerId, site.read().quotaBytes),
    forgetPhotoDetails: (ownerId) => transact(db, (tx) => forgetPhotoDetails(tx, ownerId)),
    purge,
    purgeMany: (ids, audit) =>
      transact(db, async (tx) => {
        const purged = await removed(tx, await purgeRows(tx, ids))
        await audit(tx, purged)
        return purged
      }),
    lockUserImages: lockUserObjects,
    purgeUserImages: async (tx, userId, locked) => removals.add(tx, await purgeUserRows(tx, userId, locked)),
    purgeSomeUserImages: async (tx, userId, most) => removed(tx, await purgeSomeUserRows(tx, userId, most)),
    variantLost: (sha256) => variants.lost(sha256),
    checkStore: () => store.check(),
    followed: () => following.settled(),
    async close() {
      await following.close(FOLLOWING_MS)
      await decoder.close()
      await following.settled()
    },
  }
}
