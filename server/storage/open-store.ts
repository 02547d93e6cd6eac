import { join } from 'node:path'
import { createDiskStore } from './disk.ts'
import type { ObjectStore } from './object-store.ts'
import { createS3Store } from './s3.ts'
import type { S3Settings } from './s3-settings.ts'

/** The store that the settings name: a bucket, or a folder of this machine. */
export async function openStore(config: {
  readonly dataDir: string
  readonly s3: S3Settings | null
}): Promise<ObjectStore> {
  return config.s3 ? createS3Store(config.s3) : createDiskStore(join(config.dataDir, 'objects'))
}
