import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { readS3Settings, type S3Settings, s3Variables } from '#server/storage/s3/settings.ts'
import type { S3Server } from './s3-server.ts'

/** The settings of a whole app for the bucket that TEST_S3_ENDPOINT and its companions name: none when they name none. */
export function externalVariables(): Record<string, string> {
  const given = Object.keys(s3Variables).flatMap((name) => {
    const value = process.env[`TEST_${name}`]
    return value ? [[name, value] as const] : []
  })
  if (given.length === 0) return {}
  const variables = Object.fromEntries(given)
  return { ...variables, S3_PREFIX: `${variables.S3_PREFIX ?? ''}test-${randomUUID()}/` }
}

/** The bucket that TEST_S3_ENDPOINT and its companions name, under a prefix of this run; null when they name none. */
export function externalBucket(): S3Settings | null {
  const names = Object.keys(s3Variables).filter((name) => process.env[`TEST_${name}`])
  const given = Object.fromEntries(names.map((name) => [name, process.env[`TEST_${name}`]]))
  const settings = readS3Settings(z.object(s3Variables).parse(given))
  return settings && withPrefix(settings)
}

/** How to reach a server's bucket, under a prefix that nobody else has; `endpoint` when something is to stand between. */
export function settingsFor(server: S3Server, endpoint = server.endpoint): S3Settings {
  const { bucket, accessKeyId, secretAccessKey } = server
  const rest = { region: 'us-east-1', pathStyle: true, prefix: '', checksums: 'when-required' } as const
  return withPrefix({ bucket, accessKeyId, secretAccessKey, endpoint, ...rest })
}

const withPrefix = (settings: S3Settings): S3Settings => ({
  ...settings,
  prefix: `${settings.prefix}test-${randomUUID()}/`,
})
