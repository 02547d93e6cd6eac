import { z } from 'zod'
import { InvalidSetting } from '#server/cannot-start.ts'

/** A bucket and how to reach it. */
export interface S3Settings {
  readonly bucket: string
  /** A URL without a trailing slash; null for AWS. */
  readonly endpoint: string | null
  readonly region: string
  readonly accessKeyId: string
  readonly secretAccessKey: string
  /** Whether the bucket's name goes into the path rather than before the host. */
  readonly pathStyle: boolean
  /** Prefix of every key: empty, or ending in a slash. */
  readonly prefix: string
  /** Whether the SDK adds its own checksums (CRC) wherever possible or only where S3 requires one. */
  readonly checksums: 'when-required' | 'when-supported'
}

const endpoint = z.string().transform((text, ctx) => {
  const written = /^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `https://${text}`
  const url = URL.canParse(written) ? new URL(written) : null
  if (!url || !/^https?:$/.test(url.protocol) || url.search || url.hash || url.username || url.password) {
    ctx.addIssue('must be a host such as s3.example.org, or http://host:port without TLS')
    return z.NEVER
  }
  return url.href.replace(/\/+$/, '')
})

const prefix = z.string().transform((text, ctx) => {
  const trimmed = text.replace(/^\/+|\/+$/g, '')
  // Providers encode other characters differently, and with some '..' leads out of the prefix.
  if (!/^[\w.-]*(\/[\w.-]+)*$/.test(trimmed) || trimmed.split('/').some((part) => /^\.+$/.test(part))) {
    ctx.addIssue('may have letters, digits, "-", "_", "." and single "/" between names only')
    return z.NEVER
  }
  return trimmed && `${trimmed}/`
})

const key = z.string().regex(/^[\x21-\x7e]+$/, 'contains a space or another invalid character: copy it again')

/** The settings of a bucket by their environment variables. */
export const s3Variables = {
  S3_BUCKET: z
    .string()
    .regex(/^[A-Za-z0-9][\w.-]{1,254}$/, 'must be only the name of a bucket, such as my-images')
    // They need sessions, list whole folders only, and return no ETag to verify a put with.
    .refine(
      (name) => !name.endsWith('--x-s3'),
      'is a directory bucket (S3 Express One Zone), which is not supported: use a general purpose bucket',
    )
    .optional(),
  S3_ENDPOINT: endpoint.optional(),
  S3_REGION: z
    .string()
    .regex(/^[A-Za-z0-9-]+$/, 'must be the name of a region, such as eu-central-1')
    .optional(),
  S3_ACCESS_KEY_ID: key.optional(),
  S3_SECRET_ACCESS_KEY: key.optional(),
  S3_PATH_STYLE: z
    .enum(['on', 'off'], 'must be on or off')
    .transform((value) => value === 'on')
    .optional(),
  S3_PREFIX: prefix.optional(),
  S3_CHECKSUMS: z.enum(['when-required', 'when-supported'], 'must be when-required or when-supported').optional(),
}

const variables = z.object(s3Variables)

/** Returns null when no bucket is named. Throws InvalidSetting when a required setting is missing; `before` stands before the names
 *  of the variables. */
export function readS3Settings(values: z.output<typeof variables>, before = ''): S3Settings | null {
  const { S3_BUCKET: bucket, S3_ENDPOINT: endpoint = null } = values
  if (bucket === undefined) {
    // Setting one of them means that images should go to a bucket.
    const stray = Object.entries(values).find(([name, value]) => name in s3Variables && value !== undefined)
    if (stray)
      throw new InvalidSetting(`${before}${stray[0]} is set without ${before}S3_BUCKET: name the bucket, or remove it`)
    return null
  }
  const { S3_ACCESS_KEY_ID: accessKeyId, S3_SECRET_ACCESS_KEY: secretAccessKey } = values
  if (accessKeyId === undefined || secretAccessKey === undefined) {
    throw new InvalidSetting(
      `${before}S3_BUCKET needs ${before}S3_ACCESS_KEY_ID and ${before}S3_SECRET_ACCESS_KEY: set both`,
    )
  }
  if (endpoint && new URL(endpoint).pathname === `/${bucket}`) {
    throw new InvalidSetting(
      `${before}S3_ENDPOINT: must not end in the bucket's name: write ${new URL(endpoint).origin}`,
    )
  }
  return {
    bucket,
    endpoint,
    region: values.S3_REGION ?? guessRegion(endpoint),
    accessKeyId,
    secretAccessKey,
    pathStyle: values.S3_PATH_STYLE ?? !isAws(endpoint),
    prefix: values.S3_PREFIX ?? '',
    checksums: values.S3_CHECKSUMS ?? 'when-required',
  }
}

const isAws = (endpoint: string | null): boolean =>
  endpoint === null || /\.amazonaws\.com(\.cn)?$/.test(new URL(endpoint).hostname)

/** Returns the region in a known provider's host name; otherwise the one that servers without regions accept. */
function guessRegion(endpoint: string | null): string {
  const host = endpoint === null ? '' : new URL(endpoint).hostname
  if (host.endsWith('.r2.cloudflarestorage.com')) return 'auto'
  const named = /(?:^|\.)(?:s3[.-]|cos\.)?([a-z]{2}(?:-[a-z]+)+-\d+)\./.exec(host)
  const known = /^(?:s3\.([a-z-]+)\.scw\.cloud|cos\.([a-z-]+)\.myqcloud\.com)$/.exec(host)
  return named?.[1] ?? known?.[1] ?? known?.[2] ?? 'us-east-1'
}
