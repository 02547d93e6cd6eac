import { GetBucketLifecycleConfigurationCommand, GetBucketVersioningCommand } from '@aws-sdk/client-s3'
import { unmetered } from '../meter.ts'
import { defaultDeadlines, openBucket, type S3Bucket } from './bucket.ts'
import type { S3Settings } from './settings.ts'

/** What a bucket does to objects by itself; null where the provider or the key's rights do not tell. */
export interface BucketRules {
  /** Whether deleted objects are kept as older versions. */
  readonly keepsVersions: boolean | null
  /** Days after which objects of Sluice are deleted; undefined if they are not. */
  readonly expiryDays: number | 'some' | undefined | null
}

/** Reads the rules of a bucket by two requests, which no budget counts. */
export async function readBucketRules(settings: S3Settings): Promise<BucketRules> {
  const bucket = openBucket(settings, unmetered, defaultDeadlines)
  try {
    return { keepsVersions: await readVersioning(bucket), expiryDays: await readExpiry(bucket) }
  } finally {
    bucket.client.destroy()
  }
}

async function readVersioning({ settings, client }: S3Bucket): Promise<boolean | null> {
  const command = new GetBucketVersioningCommand({ Bucket: settings.bucket })
  return client.send(command).then(
    ({ Status }) => Status === 'Enabled',
    () => null,
  )
}

async function readExpiry({ settings, client }: S3Bucket): Promise<BucketRules['expiryDays']> {
  const command = new GetBucketLifecycleConfigurationCommand({ Bucket: settings.bucket })
  try {
    const { Rules = [] } = await client.send(command)
    const expiring = Rules.find(({ Status, Expiration, Filter, Prefix }) => {
      const prefix = Filter?.And?.Prefix ?? Filter?.Prefix ?? Prefix ?? ''
      const concerns = prefix.startsWith(settings.prefix) || settings.prefix.startsWith(prefix)
      return Status === 'Enabled' && concerns && (Expiration?.Days !== undefined || Expiration?.Date !== undefined)
    })
    return expiring && (expiring.Expiration?.Days ?? 'some')
  } catch (error) {
    return error instanceof Error && error.name === 'NoSuchLifecycleConfiguration' ? undefined : null
  }
}
