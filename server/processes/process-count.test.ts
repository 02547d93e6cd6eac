import { describe, expect, test } from 'vitest'
import { InvalidSetting } from '#server/cannot-start.ts'
import { readConfig } from '#server/config.ts'
import { countProcesses, type Machine } from './process-count.ts'

const stores = { databaseUrl: 'postgres://db/site', redisUrl: 'redis://store' }
const GIB = 1024 ** 3
const machine: Machine = { cores: 16, memory: 64 * GIB }

describe('SLUICE_PROCESSES', () => {
  test.each(['0', '257', '-1', '1.5', '2x', 'Auto', 'all'])('refuses %s', (SLUICE_PROCESSES) => {
    expect(() => readConfig({ SLUICE_PROCESSES })).toThrow(
      new InvalidSetting('SLUICE_PROCESSES: must be a whole number from 1 to 256, or auto'),
    )
  })

  test('is one process unless set', () => {
    expect(readConfig({}).processes).toEqual({ count: 1, why: null })
  })

  test('is read with the stores beside it', () => {
    const environment = { SLUICE_PROCESSES: '3', DATABASE_URL: stores.databaseUrl, REDIS_URL: stores.redisUrl }
    expect(readConfig(environment).processes).toEqual({ count: 3, why: null })
  })

  test.each<[string, Partial<Machine>, number]>([
    ['the cores', {}, 16],
    ['the memory, of which each has 1 GiB', { memory: 3.9 * GIB }, 3],
    ['one process where there is less', { memory: GIB / 2 }, 1],
  ])('auto follows %s', (_, less, count) => {
    expect(countProcesses('auto', stores, { ...machine, ...less })).toEqual({ count, why: null })
  })

  test('may be more than there are cores', () => {
    expect(countProcesses(4, stores, { cores: 1, memory: GIB })).toEqual({ count: 4, why: null })
  })

  test.each([
    ['the embedded database', { databaseUrl: null }, 'the embedded database belongs to one process'],
    [
      'a limiter in this process',
      { redisUrl: null },
      'without REDIS_URL every process would count each limit for itself',
    ],
  ])('stays at one with %s, and says why', (_, missing, why) => {
    for (const setting of [2, 'auto'] as const) {
      const found = countProcesses(setting, { ...stores, ...missing }, machine)
      expect([found.count, found.why]).toEqual([1, expect.stringContaining(why)])
    }
    expect(countProcesses(1, { ...stores, ...missing }, machine).why).toBe(null)
  })
})
