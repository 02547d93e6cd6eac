import { type AnyTRPCRouter, TRPCError } from '@trpc/server'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { startApp, type TestApp } from '#testing/sluice/sluice-app.ts'
import { appRouter } from './router.ts'

/** Text that JSON may hold and PostgreSQL does not, nor any name. */
const HOSTILE = ['a\0bcdefghi', '\ud800bcdefghi']

/** What a procedure looks up before it reads the rest. */
const LOOKED_UP: Readonly<Record<string, string>> = { procedure: 'image.get', ruleSet: 'view' }

type Schema = z.core.JSONSchema.BaseSchema
type Place = readonly string[]

const isSchema = (schema: unknown): schema is Schema => typeof schema === 'object' && schema !== null

/** Returns an input that a schema allows, with `text` at `place`. */
function fill(schema: unknown, place: Place, text: string): unknown {
  if (!isSchema(schema)) return 'any'
  const [name, ...rest] = place
  const choice = schema.anyOf ?? schema.oneOf
  if (choice) return fill(choice[Number(name ?? 0)], rest, text)
  if (schema.const !== undefined || schema.enum) return schema.const ?? schema.enum?.[0]
  if (schema.type === 'array')
    return Array.from({ length: Math.max(1, schema.minItems ?? 0) }, () => fill(schema.items, rest, text))
  if (schema.type === 'object') {
    const wanted = new Set([...(schema.required ?? []), ...(name === undefined ? [] : [name])])
    const filled = (key: string) =>
      (key !== name && LOOKED_UP[key]) || fill(schema.properties?.[key], key === name ? rest : [], text)
    return Object.fromEntries([...wanted].map((key) => [key, filled(key)]))
  }
  if (schema.type === 'boolean') return true
  if (schema.type === 'integer' || schema.type === 'number') return schema.minimum ?? 1
  return isFree(schema) ? text : plain(schema)
}

const isFree = ({ type, format, pattern }: Schema) => (type === 'string' || !type) && !format && !pattern

function plain({ format }: Schema): string {
  if (format === 'uuid') return crypto.randomUUID()
  return format === 'date-time' ? '2026-11-23T00:00:00Z' : 'a'
}

/** Returns the places of all texts that a schema leaves to the caller. */
function placesIn(schema: unknown): Place[] {
  if (!isSchema(schema)) return []
  const choice = schema.anyOf ?? schema.oneOf
  if (choice) return choice.flatMap((each, at) => placesIn(each).map((rest) => [String(at), ...rest]))
  if (schema.const !== undefined || schema.enum) return []
  if (schema.type === 'array') return placesIn(schema.items).map((rest) => ['0', ...rest])
  if (schema.type === 'object')
    return Object.entries(schema.properties ?? {}).flatMap(([key, each]) =>
      placesIn(each).map((rest) => [key, ...rest]),
    )
  return isFree(schema) ? [[]] : []
}

let served: TestApp
beforeAll(async () => {
  served = await startApp()
})
afterAll(() => served[Symbol.asyncDispose]())

test('text that a database cannot hold is refused by every procedure, and faults none', async () => {
  const router: AnyTRPCRouter = appRouter
  const procedures = Object.entries<{ _def: { inputs: readonly unknown[] } }>(router._def.procedures)
  const faults: string[] = []
  let tried = 0
  for (const [path, { _def }] of procedures) {
    const input = _def.inputs.find((each) => each instanceof z.ZodType)
    if (!input) continue
    const schema = z.toJSONSchema(input, { io: 'input', unrepresentable: 'any' })
    for (const place of placesIn(schema)) {
      for (const text of HOSTILE) {
        const person = await served.person({ role: 'superadmin' })
        const call: unknown = path
          .split('.')
          .reduce((at: unknown, name) => Reflect.get(Object(at), name), served.as(person))
        if (typeof call !== 'function') throw new TypeError(path)
        tried += 1
        try {
          await call(fill(schema, place, text))
        } catch (error) {
          if (!(error instanceof TRPCError) || error.code === 'INTERNAL_SERVER_ERROR') {
            faults.push(`${path} ${place.join('.')} ${JSON.stringify(text)}: ${error}`)
          }
        }
      }
    }
  }
  expect(faults).toEqual([])
  expect(tried).toBeGreaterThan(150)
})

test('nor may it reach the job that looks for an account', async () => {
  for (const login of HOSTILE)
    await expect(served.as(null).account.forgotPassword({ login })).rejects.toMatchObject({ code: 'BAD_REQUEST' })
})
