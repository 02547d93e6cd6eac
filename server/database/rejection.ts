import { Prisma } from '../../generated/prisma/client.ts'
import { isDatabaseOutage } from './outage.ts'

/** Whether an error means that the database is up but does not accept a statement or its values. */
export function isDatabaseRejection(error: unknown): boolean {
  const { PrismaClientKnownRequestError: Known, PrismaClientUnknownRequestError: Unknown } = Prisma
  return (error instanceof Known || error instanceof Unknown) && !isDatabaseOutage(error)
}
