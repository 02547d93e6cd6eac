import type { PrismaClient } from '#server/database/database.ts'
import { readFactors } from '../factors.ts'
import { rpIdOf } from '../passkeys/relying-party.ts'
import type { SecondStepMethod } from './method.ts'
import { passkey } from './passkey.ts'
import { recovery } from './recovery.ts'
import { totp } from './totp.ts'

/** The ways to take the second step, the one that a page offers first at the top. */
export const secondStepMethods = { passkey, totp, recovery } as const satisfies Readonly<
  Record<string, SecondStepMethod>
>

export type SecondStepName = keyof typeof secondStepMethods

const names = Object.keys(secondStepMethods).filter(isSecondStep)

export function isSecondStep(name: string): name is SecondStepName {
  return Object.hasOwn(secondStepMethods, name)
}

/** Returns the ways that the account has at this site's address, the first to be offered first. */
export async function listMethods(
  { db, config }: { readonly db: PrismaClient; readonly config: { readonly origin: string } },
  userId: string,
): Promise<readonly SecondStepName[]> {
  const [all, passkeys] = await Promise.all([
    readFactors(db, userId),
    db.passkey.count({ where: { userId, rpId: rpIdOf(config) } }),
  ])
  const factors = { ...all, passkeys }
  return names.filter((name) => secondStepMethods[name].isReady(factors))
}
