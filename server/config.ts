import { existsSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { resolve } from 'node:path'
import { z } from 'zod'
import { readS3Settings, type S3Settings, s3Variables } from '#server/storage/s3/settings.ts'
import { byteSize } from './byte-size.ts'
import { InvalidSetting } from './cannot-start.ts'
import { parseCidr } from './cidr.ts'
import { SHORTEST_SECRET, siteSecret } from './site-secret.ts'
import { type WebhookEventType, webhookEvents } from './webhooks/events.ts'

const cidrs = z.string().transform((text, ctx) => {
  const parts = text.split(',').map((part) => part.trim())
  for (const part of parts.filter(Boolean)) {
    if (parseCidr(part) === null) {
      ctx.addIssue(`"${part}" is neither an address nor a CIDR such as 10.0.0.0/8`)
    }
  }
  return parts.filter(Boolean)
})

const origin = z.string().transform((text, ctx) => {
  const url = URL.canParse(text) ? new URL(text) : null
  if (!url || !/^https?:$/.test(url.protocol) || url.pathname !== '/' || url.search || url.username) {
    ctx.addIssue('must be an origin such as https://images.example.org, without a path')
    return z.NEVER
  }
  return url.origin
})

const redisNode = z.url({ protocol: /^rediss?$/, error: 'must read redis://host:6379 or rediss://…' })
/** One node, or several of a Cluster, each with its scheme; a comma in a password is written %2C. */
const redisNodes = z.string().transform((text, ctx) => {
  const nodes = text.split(',').map((part) => redisNode.safeParse(part.trim()))
  const invalid = nodes.find((node) => !node.success)
  if (invalid) ctx.addIssue(invalid.error.issues[0]?.message ?? '')
  return nodes.flatMap((node) => node.data ?? []).join(',')
})

const webhook = z
  .url({ protocol: /^https?$/, error: 'must read https://host/path' })
  .refine(
    (text) => !URL.canParse(text) || new URL(text).username === '',
    'must not hold a user: what is sent is signed',
  )

const events = z.string().transform((text, ctx) => {
  const names = text.split(',').map((name) => z.enum(webhookEvents).safeParse(name.trim()))
  if (names.some((name) => !name.success)) ctx.addIssue(`must be of ${webhookEvents.join(', ')}, behind commas`)
  return names.flatMap((name) => name.data ?? [])
})

const token = z
  .string()
  .regex(/^[A-Za-z0-9._~+/-]{16,}=*$/, 'must have at least 16 characters: letters, digits and . _ ~ + / - (RFC 6750)')

const wholeNumber = ({ min, max }: { readonly min: number; readonly max: number }) =>
  z.string().transform((text, ctx) => {
    const value = Number(text)
    if (/^\d+$/.test(text) && value >= min && value <= max) return value
    ctx.addIssue(`must be a whole number from ${min} to ${max}`)
    return z.NEVER
  })

const onOff = z.enum(['on', 'off'], 'must be on or off').transform((value) => value === 'on')

const logLevels = ['debug', 'info', 'warn', 'error', 'silent'] as const

/** Every setting, by the name of its environment variable. The README's table lists exactly these. */
export const settings = z.object({
  PORT: wholeNumber({ min: 0, max: 65_535 }).default(3000),
  HOST: z.string().min(1).default('127.0.0.1'),
  SLUICE_DATA: z.string().min(1).default('./data'),
  SLUICE_ORIGIN: origin.optional(),
  SLUICE_SECRET: z.string().min(SHORTEST_SECRET, `must have at least ${SHORTEST_SECRET} characters`).optional(),
  SLUICE_ADMIN_USERNAME: z.string().optional(),
  SLUICE_ADMIN_PASSWORD: z
    .string()
    .regex(/^\P{Cc}*$/u, 'has a line break, a tab or another character in it that nobody types')
    .optional(),
  SLUICE_SIGNUP: z.enum(['closed', 'invite', 'open'], 'must be closed, invite or open').default('invite'),
  SLUICE_GALLERY: onOff.default(false),
  SLUICE_VISIBILITY: z.enum(['private', 'link', 'public'], 'must be private, link or public').default('link'),
  SLUICE_CACHE_SECONDS: wholeNumber({ min: 0, max: 31_536_000 }).default(300),
  SLUICE_CACHE_MAX: byteSize({ min: 0, max: Number.MAX_SAFE_INTEGER }).default(10 * 1024 ** 3),
  SLUICE_MAX_UPLOAD: byteSize({ min: 1_024, max: 1024 ** 3 }).default(25 * 1024 ** 2),
  SLUICE_QUOTA: byteSize({ min: 0, max: Number.MAX_SAFE_INTEGER }).optional(),
  SLUICE_TRASH_DAYS: wholeNumber({ min: 0, max: 36_500 }).default(30),
  SLUICE_TRUSTED_PROXIES: cidrs.default([]),
  SLUICE_OVERRIDES: onOff.default(true),
  SLUICE_WEBHOOK: webhook.optional(),
  SLUICE_WEBHOOK_EVENTS: events.default([...webhookEvents]),
  SLUICE_WEBHOOK_PRIVATE: onOff.default(false),
  SLUICE_METRICS_TOKEN: token.optional(),
  SLUICE_METRICS_ADDRESSES: cidrs.default([]),
  SLUICE_LOG: z.enum(logLevels, `must be one of ${logLevels.join(', ')}`).default('info'),
  DATABASE_URL: z
    .url({ protocol: /^postgres(ql)?$/, error: 'must read postgres://user:password@host/database' })
    .optional(),
  REDIS_URL: redisNodes.optional(),
  ...s3Variables,
})

/** The settings as the server uses them. */
export interface Config {
  readonly port: number
  readonly host: string
  /** Absolute path of the folder that holds everything Sluice keeps on this machine. */
  readonly dataDir: string
  /** The one source of absolute URLs, of the cross-origin check and of Secure cookies. */
  readonly origin: string
  readonly secret: string
  readonly owner: { readonly username: string; readonly password: string } | null
  readonly signup: 'closed' | 'invite' | 'open'
  readonly gallery: boolean
  readonly defaultVisibility: 'private' | 'link' | 'public'
  /** Seconds for which anybody may keep an image that is not private, whatever happens to it meanwhile. */
  readonly cacheSeconds: number
  readonly trustedProxies: readonly string[]
  /** Whether what superadmins have changed of the limits holds, or what code declares alone. */
  readonly overrides: boolean
  /** Who is told of events, of which, and whether on a private network too; null for nobody. */
  readonly webhook: {
    readonly url: string
    readonly events: readonly WebhookEventType[]
    readonly mayBePrivate: boolean
  } | null
  /** Who may read /metrics: whoever knows the token, and these addresses and CIDRs. */
  readonly metrics: { readonly token: string | null; readonly addresses: readonly string[] }
  readonly logLevel: 'debug' | 'info' | 'warn' | 'error' | 'silent'
  readonly databaseUrl: string | null
  /** One node, or several of a Cluster behind commas. */
  readonly redisUrl: string | null
  /** The bucket with the images' bytes; null keeps them in the data folder. */
  readonly s3: S3Settings | null
  /** Bytes of the bucket's objects that are kept in the data folder, by all processes that use it; 0 for none. */
  readonly cacheMaxBytes: number
  /** Bytes of the largest accepted image. */
  readonly maxUploadBytes: number
  /** Bytes that a user without a quota of their own may have, the trash included; null for no end. */
  readonly quotaBytes: number | null
  /** How long an image lies in the trash before it is purged; 0 for ever. */
  readonly trashDays: number
}

/** The environment of a child process: this one's, and more. */
export function childEnvironment(more: Readonly<Record<string, string>>): NodeJS.ProcessEnv {
  return { ...process.env, ...more }
}

type Environment = Readonly<Record<string, string | undefined>>

/** Reads a file of settings into the environment; what is set there already stays. No file is no settings. Throws
 *  InvalidSetting for one that cannot be read. */
export function loadSettingsFile(file: string): void {
  if (!existsSync(file)) return
  try {
    process.loadEnvFile(file)
  } catch (error) {
    throw new InvalidSetting(`${resolve(file)} cannot be read: ${error instanceof Error ? error.message : error}`)
  }
}

/** Reads the environment, and makes the data folder and the secret in it when there are none. Throws InvalidSetting. */
export async function loadConfig(environment: Environment = process.env): Promise<Config> {
  const values = parseSettings(environment)
  const config = withoutSecret(values)
  await mkdir(config.dataDir, { recursive: true, mode: 0o700 }).catch(({ code }: NodeJS.ErrnoException) => {
    throw new InvalidSetting(
      `SLUICE_DATA: the folder ${config.dataDir} cannot be made (${code}): name another, or make it`,
    )
  })
  return { ...config, secret: values.SLUICE_SECRET ?? (await siteSecret(config.dataDir)) }
}

/** What a command goes by: it needs no secret. */
export type ConfigWithoutSecret = Omit<Config, 'secret'>

/** Reads the environment, and makes nothing. Throws InvalidSetting. */
export const readConfig = (environment: Environment = process.env): ConfigWithoutSecret =>
  withoutSecret(parseSettings(environment))

function withoutSecret(values: z.output<typeof settings>): ConfigWithoutSecret {
  return {
    port: values.PORT,
    host: values.HOST,
    dataDir: resolve(values.SLUICE_DATA),
    origin: values.SLUICE_ORIGIN ?? `http://localhost:${values.PORT}`,
    owner: ownerOf(values.SLUICE_ADMIN_USERNAME, values.SLUICE_ADMIN_PASSWORD),
    signup: values.SLUICE_SIGNUP,
    gallery: values.SLUICE_GALLERY,
    defaultVisibility: values.SLUICE_VISIBILITY,
    cacheSeconds: values.SLUICE_CACHE_SECONDS,
    trustedProxies: values.SLUICE_TRUSTED_PROXIES,
    overrides: values.SLUICE_OVERRIDES,
    webhook: webhookOf(values),
    metrics: { token: values.SLUICE_METRICS_TOKEN ?? null, addresses: values.SLUICE_METRICS_ADDRESSES },
    logLevel: values.SLUICE_LOG,
    databaseUrl: values.DATABASE_URL ?? null,
    redisUrl: values.REDIS_URL ?? null,
    s3: readS3Settings(values),
    cacheMaxBytes: values.SLUICE_CACHE_MAX,
    maxUploadBytes: values.SLUICE_MAX_UPLOAD,
    quotaBytes: values.SLUICE_QUOTA ?? null,
    trashDays: values.SLUICE_TRASH_DAYS,
  }
}

/** next-auth and Next read these from the environment; they follow the settings and nothing else. */
export function exportToLibraries(config: Config, mode: 'development' | 'production'): void {
  Object.assign(process.env, {
    NODE_ENV: mode,
    NEXTAUTH_URL: config.origin,
    NEXTAUTH_SECRET: config.secret,
    NEXT_TELEMETRY_DISABLED: '1',
  })
}

function parseSettings(environment: Environment): z.output<typeof settings> {
  // An empty variable is one that is not set: compose files and shells write both.
  const given = Object.entries(environment)
    .map(([name, value]) => [name, asMeant(name, value)])
    .filter(([, value]) => value !== '')
  const result = settings.safeParse(Object.fromEntries(given))
  if (result.success) return result.data
  throw new InvalidSetting(result.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`).join('\n'))
}

/** What signs and what opens an account is taken to the letter. */
const toTheLetter = new Set(['SLUICE_SECRET', 'SLUICE_ADMIN_PASSWORD'])

/** A space behind a value, or the line ends of Windows, are no part of it: nobody sees them in a file. */
const asMeant = (name: string, value: string | undefined): string | undefined =>
  toTheLetter.has(name) ? value : value?.trim()

/** Names that look like settings and are none, as of one that is misspelled. Commands read the other two. */
export function unknownSettings(environment: Environment = process.env): readonly string[] {
  const known = new Set([...Object.keys(settings.shape), 'SLUICE_URL', 'SLUICE_TOKEN'])
  return Object.keys(environment).filter((name) => /^(SLUICE|S3)_/.test(name) && !known.has(name))
}

function webhookOf(values: z.output<typeof settings>): Config['webhook'] {
  const { SLUICE_WEBHOOK: url, SLUICE_WEBHOOK_EVENTS: events, SLUICE_WEBHOOK_PRIVATE: mayBePrivate } = values
  return url === undefined ? null : { url, events, mayBePrivate }
}

function ownerOf(username: string | undefined, password: string | undefined): Config['owner'] {
  if (username === undefined && password === undefined) return null
  if (username !== undefined && password !== undefined) return { username, password }
  throw new InvalidSetting('SLUICE_ADMIN_USERNAME and SLUICE_ADMIN_PASSWORD go together: set both or neither')
}
