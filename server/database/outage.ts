import { z } from 'zod'
import { Conflict } from './transact.ts'

/** Prisma's codes for a database that is unreachable, refuses connections, is too slow, or aborted this transaction. */
const PRISMA_CODES = /^(?:P1000|P1001|P1002|P1003|P1008|P1010|P1011|P1017|P2024|P2028|P2034|P2037)$/

/** SQLSTATE codes (PostgreSQL, appendix A): connection exceptions, transactions rolled back because of another, a
 *  read-only standby, exhausted resources, lock and statement timeouts, a server that is shutting down or starting,
 *  system errors; and an account or database that no longer matches the settings. */
const SERVER_CODES = /^(?:08|25006|25P03|28|3D|40|53|55P03|57014|57P0|58)/

/** The driver adapter's names for the same, when it knows no code. */
const ADAPTER_KINDS =
  /^(?:Authentication|ConnectionClosed|Database|SocketTimeout|Tls|TooManyConnections|TransactionWrite)/

const SOCKET_CODES = /^(?:ECONN(?:REFUSED|RESET|ABORTED)|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN)$/

/** The driver's own errors, which have no code. */
const DRIVER_MESSAGES = new Set([
  'timeout exceeded when trying to connect',
  'Query read timeout',
  'Connection terminated',
  'Connection terminated unexpectedly',
  'Connection terminated due to connection timeout',
  'Client has encountered a connection error and is not queryable',
  'Client was closed and is not queryable',
])

const failure = z.looseObject({
  code: z.string().optional(),
  /** Marks an error as the server's. */
  severity: z.string().optional(),
  errorCode: z.string().optional(),
  syscall: z.string().optional(),
  meta: z.looseObject({ driverAdapterError: z.unknown().optional() }).optional(),
  kind: z.string().optional(),
  originalCode: z.string().optional(),
  cause: z.unknown().optional(),
})

/** Nested causes that are inspected. */
const MAX_DEPTH = 8

/** Whether an error means that the database is down, overloaded or disconnected, or aborted the transaction because of
 *  another: the same call may succeed moments later. Any other database error is a bug. */
export function isDatabaseOutage(error: unknown, depth = 0): boolean {
  const parsed = failure.safeParse(error)
  if (!parsed.success || depth > MAX_DEPTH) return false
  const { code = '', errorCode = '', severity, syscall, meta, kind = '', originalCode = '', cause } = parsed.data
  return (
    // Five attempts met conflicting changes.
    error instanceof Conflict ||
    PRISMA_CODES.test(code) ||
    PRISMA_CODES.test(errorCode) ||
    (syscall !== undefined && SOCKET_CODES.test(code)) ||
    ADAPTER_KINDS.test(kind) ||
    // SQLSTATEs have five characters, as do many Node codes; only with a severity or kind are they the server's.
    ((kind !== '' || severity !== undefined) && SERVER_CODES.test(originalCode || code)) ||
    (error instanceof Error && DRIVER_MESSAGES.has(error.message)) ||
    isDatabaseOutage(meta?.driverAdapterError, depth + 1) ||
    isDatabaseOutage(cause, depth + 1)
  )
}
