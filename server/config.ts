import { existsSync } from 'node:fs'
import { mkdir, readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { z } from 'zod'
import { type BackupDestination, backupVariables, readBackupDestination } from '#server/backups/destination-settings.ts'
import { readS3Settings, type S3Settings, s3Variables } from '#server/storage/s3/settings.ts'
import { byteSize } from './byte-size.ts'
import { InvalidSetting } from './cannot-start.ts'
import { cidrs, nat64, origin } from './network-settings.ts'
import { countProcesses, type ProcessCount, processCount } from './processes/process-count.ts'
import { onOff, wholeNumber } from './setting-text.ts'
import { type SiteTexts, siteVariables } from './site/settings.ts'
import { MIN_SECRET_LENGTH, presentSecret, siteSecret } from './site-secret.ts'
import { databaseSetting, redisSetting } from './store-urls.ts'
import type { TracingSettings } from './tracing/tracing.ts'

const token = z
  .string()
  .regex(/^[A-Za-z0-9._~+/-]{16,}=*$/, 'must have at least 16 characters: letters, digits and . _ ~ + / - (RFC 6750)')

const logLevels = ['debug', 'info', 'warn', 'error', 'silent'] as const

/** Every setting, by the name of its environment variable. docs/settings.md lists exactly these. */
export const settings = z.object({
  PORT: wholeNumber({ min: 0, max: 65_535 }).default(3000),
  HOST: z.string().min(1).default('127.0.0.1'),
  SLUICE_PROCESSES: processCount.default(1),
  SLUICE_DATA: z.string().min(1).default('./data'),
  SLUICE_ORIGIN: origin.optional(),
  SLUICE_SECRET: z.string().min(MIN_SECRET_LENGTH, `must have at least ${MIN_SECRET_LENGTH} characters`).optional(),
  SLUICE_ADMIN_USERNAME: z.string().optional(),
  SLUICE_ADMIN_PASSWORD: z
    .string()
    .regex(/^\P{Cc}*$/u, 'has a line break, a tab or another character in it that nobody types')
    .optional(),
  SLUICE_CACHE_MAX: byteSize({ min: 0, max: Number.MAX_SAFE_INTEGER }).default(10 * 1024 ** 3),
  SLUICE_TRUSTED_PROXIES: cidrs.default([]),
  SLUICE_NAT64: nat64.default([]),
  SLUICE_OVERRIDES: onOff.default(true),
  SLUICE_WEBHOOK_PRIVATE: onOff.default(false),
  SLUICE_METRICS_TOKEN: token.optional(),
  SLUICE_METRICS_ADDRESSES: cidrs.default([]),
  SLUICE_LOG: z.enum(logLevels, `must be one of ${logLevels.join(', ')}`).default('info'),
  OTEL_EXPORTER_OTLP_ENDPOINT: z
    .url({ protocol: /^https?$/, error: 'must read http://host:4318 or https://…, without /v1/traces' })
    .optional(),
  OTEL_TRACES_SAMPLER_ARG: z.coerce.number('must be a number from 0 to 1').min(0).max(1).default(1),
  DATABASE_URL: databaseSetting.optional(),
  REDIS_URL: redisSetting.optional(),
  ...siteVariables,
  ...s3Variables,
  ...backupVariables,
})

/** The parsed settings. Only this file reads the environment. */
export interface Config {
  readonly port: number
  readonly host: string
  /** How many processes serve the site from this start. */
  readonly processes: ProcessCount
  /** Absolute path of the folder that holds everything Sluice keeps on this machine. */
  readonly dataDir: string
  /** Absolute URLs, the cross-origin check and Secure cookies all derive from it. */
  readonly origin: string
  /** Whether no setting says where the site is. */
  readonly originIsDefault: boolean
  readonly secret: string
  readonly owner: { readonly username: string; readonly password: string } | null
  /** The settings of Admin > Site that the environment sets, valid and above those in the database. What is in force is
   *  in `Site`. */
  readonly site: SiteTexts
  readonly trustedProxies: readonly string[]
  /** IPv6 prefixes behind which a NAT64 puts IPv4 addresses, besides 64:ff9b::/96. */
  readonly nat64: readonly string[]
  /** Whether superadmins' overrides of limits apply. */
  readonly overrides: boolean
  /** Whether the webhook may be at an address of a private network. */
  readonly webhookMayBePrivate: boolean
  /** Access to /metrics: by token, and from these addresses and CIDRs. */
  readonly metrics: { readonly token: string | null; readonly addresses: readonly string[] }
  /** Where traces are sent, and the share of them that is recorded. */
  readonly tracing: TracingSettings
  readonly logLevel: 'debug' | 'info' | 'warn' | 'error' | 'silent'
  readonly databaseUrl: string | null
  /** A socket, Sentinels, one node, or several of a Cluster separated by commas. */
  readonly redisUrl: string | null
  /** The bucket for images; null keeps them in the data folder. */
  readonly s3: S3Settings | null
  /** Where scheduled backups go; null for nowhere. */
  readonly backup: BackupDestination | null
  /** The size in bytes of the cache of bucket objects in the data folder, shared by all processes that use it; 0 for none. */
  readonly cacheMaxBytes: number
}

/** Returns this process's environment with additions, for a child process. */
export function childEnvironment(more: Readonly<Record<string, string>>): NodeJS.ProcessEnv {
  return { ...process.env, ...more }
}

type Environment = Readonly<Record<string, string | undefined>>

/** Loads a file of settings into the environment, if it exists. Variables that are already set stay. Throws InvalidSetting if
 *  the file cannot be read. */
export function loadSettingsFile(file: string): void {
  if (!existsSync(file)) return
  try {
    process.loadEnvFile(file)
  } catch (error) {
    throw new InvalidSetting(`${resolve(file)} cannot be read: ${error instanceof Error ? error.message : error}`)
  }
}

/** Reads the environment, and creates the data folder and its secret if they are missing. Throws InvalidSetting. */
export async function loadConfig(environment: Environment = process.env): Promise<Config> {
  const given = parseSettings(environment)
  const config = withoutSecret(given)
  await mkdir(config.dataDir, { recursive: true, mode: 0o700 }).catch(({ code }: NodeJS.ErrnoException) => {
    throw new InvalidSetting(
      `SLUICE_DATA: the folder ${config.dataDir} cannot be created (${code}): create it, or choose another`,
    )
  })
  return { ...config, secret: given.values.SLUICE_SECRET ?? (await siteSecret(config.dataDir)) }
}

/** The settings for commands, which need no secret. */
export type ConfigWithoutSecret = Omit<Config, 'secret'>

/** Reads the environment without creating anything. Throws InvalidSetting. */
export const readConfig = (environment: Environment = process.env): ConfigWithoutSecret =>
  withoutSecret(parseSettings(environment))

/** Returns the secret that the environment or the data folder has; null if the next start would create one. Throws InvalidSetting. */
export async function readSecret(environment: Environment = process.env): Promise<string | null> {
  const given = parseSettings(environment)
  return given.values.SLUICE_SECRET ?? (await presentSecret(withoutSecret(given).dataDir))
}

interface Given {
  readonly values: z.output<typeof settings>
  readonly site: SiteTexts
}

function withoutSecret({ values, site }: Given): ConfigWithoutSecret {
  const databaseUrl = values.DATABASE_URL ?? null
  const redisUrl = values.REDIS_URL ?? null
  const [dataDir, s3] = [resolve(values.SLUICE_DATA), readS3Settings(values)]
  return {
    port: values.PORT,
    host: values.HOST,
    processes: countProcesses(values.SLUICE_PROCESSES, { databaseUrl, redisUrl }),
    dataDir,
    origin: values.SLUICE_ORIGIN ?? `http://localhost:${values.PORT}`,
    originIsDefault: values.SLUICE_ORIGIN === undefined,
    owner: readOwner(values.SLUICE_ADMIN_USERNAME, values.SLUICE_ADMIN_PASSWORD),
    site,
    trustedProxies: values.SLUICE_TRUSTED_PROXIES,
    nat64: values.SLUICE_NAT64,
    overrides: values.SLUICE_OVERRIDES,
    webhookMayBePrivate: values.SLUICE_WEBHOOK_PRIVATE,
    metrics: { token: values.SLUICE_METRICS_TOKEN ?? null, addresses: values.SLUICE_METRICS_ADDRESSES },
    tracing: { endpoint: values.OTEL_EXPORTER_OTLP_ENDPOINT ?? null, share: values.OTEL_TRACES_SAMPLER_ARG },
    logLevel: values.SLUICE_LOG,
    databaseUrl,
    redisUrl,
    s3,
    backup: readBackupDestination(values, { dataDir, s3 }),
    cacheMaxBytes: values.SLUICE_CACHE_MAX,
  }
}

/** Sets the variables that next-auth and Next read, so that they follow the settings alone. */
export function exportToLibraries(config: Config, mode: 'development' | 'production'): void {
  Object.assign(process.env, {
    NODE_ENV: mode,
    NEXTAUTH_URL: config.origin,
    NEXTAUTH_SECRET: config.secret,
    NEXT_TELEMETRY_DISABLED: '1',
    // Has Node load next.config.ts, as `next build` does by a flag; otherwise Next loads its compiler at each start.
    __NEXT_NODE_NATIVE_TS_LOADER_ENABLED: 'true',
  })
}

const built = z.object({ config: z.unknown() })

/** Gives Next its configuration as it was when the pages in `folder` were built, as its own standalone output does: otherwise each start
 *  loads next.config.ts, and the compiler that reads it. */
export async function exportBuiltConfig(folder: string): Promise<void> {
  const file = join(folder, '.next/required-server-files.json')
  const { config } = built.parse(JSON.parse(await readFile(file, 'utf8')))
  process.env.__NEXT_PRIVATE_STANDALONE_CONFIG = JSON.stringify(config)
}

function parseSettings(environment: Environment): Given {
  // An empty variable counts as unset: compose files and shells produce both.
  const given: Record<string, string> = {}
  for (const [name, value] of Object.entries(environment)) {
    const text = trimSetting(name, value)
    if (text) given[name] = text
  }
  const result = settings.safeParse(given)
  const site = Object.entries(given).filter(([name]) => Object.hasOwn(siteVariables, name))
  if (result.success) return { values: result.data, site: Object.fromEntries(site) }
  throw new InvalidSetting(result.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`).join('\n'))
}

/** Secrets are taken literally. */
const untrimmed = new Set(['SLUICE_SECRET', 'SLUICE_ADMIN_PASSWORD', 'SLUICE_MAIL_PASSWORD'])

/** Removes trailing spaces and Windows line ends, which are invisible in a file. */
const trimSetting = (name: string, value: string | undefined): string | undefined =>
  untrimmed.has(name) ? value : value?.trim()

/** Returns variables that look like settings but are unknown, such as misspelled ones. SLUICE_URL and SLUICE_TOKEN are read
 *  by commands. */
export function unknownSettings(environment: Environment = process.env): readonly string[] {
  const known = new Set([...Object.keys(settings.shape), 'SLUICE_URL', 'SLUICE_TOKEN'])
  return Object.keys(environment).filter((name) => /^(SLUICE|S3)_/.test(name) && !known.has(name))
}

function readOwner(username: string | undefined, password: string | undefined): Config['owner'] {
  if (username === undefined && password === undefined) return null
  if (username !== undefined && password !== undefined) return { username, password }
  throw new InvalidSetting('SLUICE_ADMIN_USERNAME and SLUICE_ADMIN_PASSWORD go together: set both or neither')
}
