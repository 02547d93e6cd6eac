import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { readS3Settings, type S3Settings, s3Variables } from '#server/storage/s3/settings.ts'
import type { S3Server } from './s3-server.ts'

/** An app's settings for the bucket in TEST_S3_ENDPOINT and related variables; empty if they are not set. */
export function externalVariables(): Record<string, string> {
  const given = Object.keys(s3Variables).flatMap((name) => {
    const value = process.env[`TEST_${name}`]
    return value ? [[name, value] as const] : []
  })
  if (given.length === 0) return {}
  const variables = Object.fromEntries(given)
  return { ...variables, S3_PREFIX: `${variables.S3_PREFIX ?? ''}test-${randomUUID()}/` }
}

/** The bucket in TEST_S3_ENDPOINT and related variables, with a prefix for this run; null if they are not set. */
export function externalBucket(): S3Settings | null {
  const names = Object.keys(s3Variables).filter((name) => process.env[`TEST_${name}`])
  const given = Object.fromEntries(names.map((name) => [name, process.env[`TEST_${name}`]]))
  const settings = readS3Settings(z.object(s3Variables).parse(given))
  return settings && withPrefix(settings)
}

/** The settings of a server's bucket with a unique prefix. `endpoint` names a proxy in front of it. */
export function makeS3Settings(server: S3Server, endpoint = server.endpoint): S3Settings {
  const { bucket, accessKeyId, secretAccessKey } = server
  const rest = { region: 'us-east-1', pathStyle: true, prefix: '', checksums: 'when-required' } as const
  return withPrefix({ bucket, accessKeyId, secretAccessKey, endpoint, ...rest })
}

const withPrefix = (settings: S3Settings): S3Settings => ({
  ...settings,
  prefix: `${settings.prefix}test-${randomUUID()}/`,
})
