import { join } from 'node:path'
import { createDiskStore } from './disk.ts'
import type { Meter } from './meter.ts'
import { metered } from './metered.ts'
import type { ObjectStore } from './object-store.ts'
import { createS3Store } from './s3/s3.ts'
import type { S3Settings } from './s3/settings.ts'

/** Opens the store that the settings name: a bucket, or a folder on this machine. The meter counts every request to
 *  either. */
export async function openObjectStore(
  config: { readonly dataDir: string; readonly s3: S3Settings | null },
  meter: Meter,
): Promise<ObjectStore> {
  if (config.s3) return createS3Store(config.s3, meter)
  return metered(await createDiskStore(join(config.dataDir, 'objects')), meter)
}
