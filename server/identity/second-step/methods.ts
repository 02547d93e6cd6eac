import type { PrismaClient } from '#server/database/database.ts'
import { readFactors } from '../factors.ts'
import type { SecondStepMethod } from './method.ts'
import { recovery } from './recovery.ts'
import { totp } from './totp.ts'

/** The ways to take the second step, the one that a page offers first at the top. */
export const secondStepMethods = { totp, recovery } as const satisfies Readonly<Record<string, SecondStepMethod>>

export type SecondStepName = keyof typeof secondStepMethods

const names = Object.keys(secondStepMethods).filter(isSecondStep)

export function isSecondStep(name: string): name is SecondStepName {
  return Object.hasOwn(secondStepMethods, name)
}

/** Returns the ways that the account has, the first to be offered first. */
export async function listMethods(db: PrismaClient, userId: string): Promise<readonly SecondStepName[]> {
  const factors = await readFactors(db, userId)
  return names.filter((name) => secondStepMethods[name].isReady(factors))
}
