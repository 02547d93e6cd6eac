import { mkdtemp, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { InvalidSetting } from './cannot-start.ts'
import { loadConfig, unknownSettings } from './config.ts'

let data: string
beforeAll(async () => {
  data = await mkdtemp(join(tmpdir(), 'sluice-config-'))
})
afterAll(() => rm(data, { recursive: true }))

const load = (environment: Record<string, string>) => loadConfig({ SLUICE_DATA: data, ...environment })

describe('the settings', () => {
  it('default to a site on localhost with embedded services', async () => {
    expect(await load({})).toMatchObject({
      port: 3000,
      host: '127.0.0.1',
      origin: 'http://localhost:3000',
      site: {},
      databaseUrl: null,
      redisUrl: null,
      s3: null,
      owner: null,
      trustedProxies: [],
      nat64: [],
      metrics: { token: null, addresses: [] },
      webhookMayBePrivate: false,
    })
  })

  it('derive the origin from the port unless it is set', async () => {
    expect((await load({ PORT: '8080' })).origin).toBe('http://localhost:8080')
    expect((await load({ PORT: '8080', SLUICE_ORIGIN: 'https://img.example/' })).origin).toBe('https://img.example')
  })

  it('accept one Redis node, or several of a Cluster', async () => {
    expect((await load({ REDIS_URL: 'redis://a:6379' })).redisUrl).toBe('redis://a:6379')
    expect((await load({ REDIS_URL: 'redis://a:6379, redis://b:6380' })).redisUrl).toBe('redis://a:6379,redis://b:6380')
  })

  it('accept a Redis behind Sentinels, or at a socket', async () => {
    for (const url of ['redis+sentinel://a:26379,b:26379/main?db=1', 'unix:///run/redis.sock'])
      expect((await load({ REDIS_URL: url })).redisUrl).toBe(url)
  })

  it('treat an empty variable as unset', async () => {
    expect((await load({ PORT: '', DATABASE_URL: '' })).port).toBe(3000)
  })

  it('ignore trailing spaces and line ends', async () => {
    const given = { PORT: '8080\r', SLUICE_DATA: `${data} `, SLUICE_SIGNUP: ' open', SLUICE_TRASH_DAYS: ' \t' }
    expect(await load({ ...given, SLUICE_GALLERY: 'on\r' })).toMatchObject({
      port: 8080,
      origin: 'http://localhost:8080',
      dataDir: data,
      site: { SLUICE_SIGNUP: 'open', SLUICE_GALLERY: 'on' },
    })
    const owner = { SLUICE_ADMIN_USERNAME: 'ann ', SLUICE_ADMIN_PASSWORD: ' spaces are typed ' }
    expect((await load(owner)).owner).toEqual({ username: 'ann', password: ' spaces are typed ' })
  })

  it('report unknown names', () => {
    const environment = {
      SLUICE_GALERY: 'on',
      S3_KEY: 'x',
      SLUICE_URL: 'x',
      SLUICE_TOKEN: 'x',
      SLUICE_LOG: 'info',
      PATH: 'x',
    }
    expect(unknownSettings(environment)).toEqual(['SLUICE_GALERY', 'S3_KEY'])
  })

  it('keep one secret in the data folder, readable by its owner only', async () => {
    const [first, second] = await Promise.all([load({}), load({})])
    expect(second.secret).toBe(first.secret)
    expect(first.secret).toHaveLength(43)
    expect(await readFile(join(data, 'secret'), 'utf8')).toBe(first.secret)
    expect((await stat(join(data, 'secret'))).mode & 0o777).toBe(0o600)
  })

  it('report a data folder that cannot be created', async () => {
    const folder = join(data, 'secret', 'data')
    await load({})
    await expect(load({ SLUICE_DATA: folder })).rejects.toThrow(
      new InvalidSetting(`SLUICE_DATA: the folder ${folder} cannot be created (ENOTDIR): create it, or choose another`),
    )
  })

  it.each([
    [{ PORT: 'eighty' }, /^PORT: /],
    [{ PORT: '70000' }, /^PORT: /],
    [{ PORT: '3000.5' }, /^PORT: must be a whole number from 0 to 65535$/],
    [{ PORT: '0x10' }, /^PORT: must be a whole number from 0 to 65535$/],
    [{ SLUICE_TRASH_DAYS: '30 days' }, /^SLUICE_TRASH_DAYS: must be a whole number from 0 to 36500$/],
    [{ SLUICE_CACHE_SECONDS: '1e3' }, /^SLUICE_CACHE_SECONDS: must be a whole number from 0 to 31536000$/],
    [{ SLUICE_GALLERY: 'true' }, /^SLUICE_GALLERY: must be on or off$/],
    [{ SLUICE_SIGNUP: 'yes' }, /^SLUICE_SIGNUP: must be closed, invite or open$/],
    [{ SLUICE_VISIBILITY: 'all' }, /^SLUICE_VISIBILITY: must be private, link or public$/],
    [{ SLUICE_LOG: 'trace' }, /^SLUICE_LOG: must be one of debug, info, warn, error, silent$/],
    [{ SLUICE_MAX_UPLOAD: '25' }, /^SLUICE_MAX_UPLOAD: must be a size such as 25MB or 5GB$/],
    [
      { SLUICE_ADMIN_USERNAME: 'ann', SLUICE_ADMIN_PASSWORD: 'long enough\r' },
      /^SLUICE_ADMIN_PASSWORD: has a line break/,
    ],
    [{ S3_PATH_STYLE: 'true', S3_BUCKET: 'images' }, /^S3_PATH_STYLE: must be on or off$/],
    [{ SLUICE_ORIGIN: 'img.example' }, /^SLUICE_ORIGIN: must be an origin/],
    [{ SLUICE_ORIGIN: 'https://img.example/path' }, /^SLUICE_ORIGIN: must be an origin/],
    [{ SLUICE_SIGNUP: 'maybe' }, /^SLUICE_SIGNUP: /],
    [{ SLUICE_SECRET: 'short' }, /^SLUICE_SECRET: must have at least 32 characters$/],
    [{ SLUICE_TRUSTED_PROXIES: '10.0.0.0/8, proxy' }, /^SLUICE_TRUSTED_PROXIES: "proxy" is neither/],
    [{ SLUICE_NAT64: '10.0.0.0/8' }, /^SLUICE_NAT64: "10.0.0.0\/8" is not an IPv6 prefix of 32, 40, /],
    [{ SLUICE_NAT64: '2001:db8::/33' }, /^SLUICE_NAT64: /],
    [{ SLUICE_TRUSTED_PROXIES: '10.0.0.0/40' }, /^SLUICE_TRUSTED_PROXIES: /],
    // Ambiguous notations, which other tools read as 172.0.0.0/12, 0.0.0.10 and 8.0.0.0/8.
    [{ SLUICE_TRUSTED_PROXIES: '172.16/12' }, /^SLUICE_TRUSTED_PROXIES: "172.16\/12" is neither/],
    [{ SLUICE_TRUSTED_PROXIES: '10' }, /^SLUICE_TRUSTED_PROXIES: "10" is neither/],
    [{ SLUICE_METRICS_ADDRESSES: '010.0.0.0/8' }, /^SLUICE_METRICS_ADDRESSES: "010.0.0.0\/8" is neither/],
    [{ SLUICE_METRICS_TOKEN: 'fifteen-letters' }, /^SLUICE_METRICS_TOKEN: must have at least 16/],
    [{ SLUICE_METRICS_TOKEN: 'with a space between' }, /^SLUICE_METRICS_TOKEN: must have/],
    [{ SLUICE_METRICS_ADDRESSES: 'prometheus' }, /^SLUICE_METRICS_ADDRESSES: "prometheus" is neither/],
    [{ DATABASE_URL: 'mysql://x' }, /^DATABASE_URL: must read postgres:/],
    [
      { DATABASE_URL: 'postgres://ann:a/b@db/site' },
      /; in the password, write % as %25, @ as %40, \/ as %2F, # as %23$/,
    ],
    [{ DATABASE_URL: 'postgres://ann:50%ff@db/site' }, /^DATABASE_URL: has a % that encodes nothing/],
    [{ DATABASE_URL: 'postgres://db/site?sslmode=allow' }, /^DATABASE_URL: has an unknown sslmode/],
    [{ REDIS_URL: 'localhost:6379' }, /^REDIS_URL: must read redis:/],
    [{ REDIS_URL: 'redis://a:6379,b:6379' }, /^REDIS_URL: must read redis:/],
    [{ REDIS_URL: 'redis://a:6379,' }, /^REDIS_URL: must read redis:/],
    [{ REDIS_URL: 'redis:///run/redis.sock' }, /^REDIS_URL: must read redis:/],
    [{ REDIS_URL: 'redis://:50%zz@a:6379' }, /^REDIS_URL: has a % that encodes nothing/],
    [{ REDIS_URL: 'redis://a:6379/cache' }, /^REDIS_URL: must have nothing after the host but the number/],
    [{ REDIS_URL: 'redis+sentinel://a:26379,b:26379' }, /^REDIS_URL: must read redis\+sentinel:.*, @ as %40/],
    [{ REDIS_URL: 'redis+sentinel://a:port/main' }, /^REDIS_URL: must read redis\+sentinel:/],
    [{ REDIS_URL: 'redis+sentinel://a/main?database=2' }, /^REDIS_URL: has an unknown parameter database: use db, /],
    [{ REDIS_URL: 'redis+sentinel://:50%zz@a/main' }, /^REDIS_URL: has a % that encodes nothing/],
    [{ REDIS_URL: 'unix://run/redis.sock' }, /^REDIS_URL: must read unix:\/\/\/run/],
    [{ REDIS_URL: 'unix:///run/redis.sock?db=cache' }, /^REDIS_URL: must have the number of a database/],
    [{ SLUICE_ADMIN_USERNAME: 'ann' }, /go together/],
    [{ S3_BUCKET: 'a b' }, /^S3_BUCKET: must be only the name of a bucket/],
    [{ S3_PREFIX: 'x' }, /^S3_PREFIX is set without S3_BUCKET/],
    [{ S3_BUCKET: 'images' }, /^S3_BUCKET needs S3_ACCESS_KEY_ID/],
  ])('report an invalid value: %j', async (environment, message) => {
    await expect(load(environment)).rejects.toThrow(InvalidSetting)
    await expect(load(environment)).rejects.toThrow(message)
  })
})
