import { expect, test } from 'vitest'
import { describeRedis, optionsOf } from './redis-url.ts'

test('Sentinels, with their own password and that of the master', () => {
  expect(optionsOf('redis+sentinel://a:1,[2001:db8::1],c/main')).toEqual({
    sentinels: [
      { host: 'a', port: 1 },
      { host: '2001:db8::1', port: 26_379 },
      { host: 'c', port: 26_379 },
    ],
    name: 'main',
    db: 0,
  })
  const url = 'rediss+sentinel://ann:p%40%2Fss@a/my%20main?db=2&sentinel_username=watch&sentinel_password=a+b%26'
  expect(optionsOf(url)).toEqual({
    sentinels: [{ host: 'a', port: 26_379 }],
    name: 'my main',
    db: 2,
    username: 'ann',
    password: 'p@/ss',
    sentinelUsername: 'watch',
    sentinelPassword: 'a+b&',
    tls: {},
    sentinelTLS: {},
    enableTLSForSentinelMode: true,
  })
})

test('a socket, with its password before the path or after it', () => {
  expect(optionsOf('unix:///run/redis.sock')).toEqual({ path: '/run/redis.sock', db: 0 })
  const signedIn = { path: '/run/my redis.sock', db: 1, username: 'ann', password: 'a:b' }
  expect(optionsOf('unix://ann:a:b@/run/my%20redis.sock?db=1')).toEqual(signedIn)
  expect(optionsOf('unix:///run/my%20redis.sock?db=1&username=ann&password=a:b')).toEqual(signedIn)
})

test('the log has where Redis is, and no password', () => {
  expect(
    ['redis://:secret@a:1,redis://b', 'unix://:secret@/run/redis.sock', 'redis+sentinel://:secret@a,[::1]:2/main'].map(
      describeRedis,
    ),
  ).toEqual(['Redis at a:1, b', 'Redis at /run/redis.sock', 'Redis, master main of the Sentinels at a:26379, [::1]:2'])
})
