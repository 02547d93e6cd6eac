import { z } from 'zod'
import { Conflict } from './transact.ts'

/** Prisma's codes for a database that cannot be reached, refuses, is too slow, or chose this transaction to give up. */
const PRISMA_CODES = /^(?:P1000|P1001|P1002|P1003|P1008|P1010|P1011|P1017|P2024|P2028|P2034|P2037)$/

/**
 * PostgreSQL's (appendix A): connection exceptions, transactions rolled back for another's sake, a standby that only reads,
 * resources at their end, a lock or a statement given up, a server that shuts down or starts, failures of its machine; and
 * an account or a database that is not what the settings say any more.
 */
const SERVER_CODES = /^(?:08|25006|25P03|28|3D|40|53|55P03|57014|57P0|58)/

/** What the driver adapter makes of the same where it knows no more. */
const ADAPTER_KINDS =
  /^(?:Authentication|ConnectionClosed|Database|SocketTimeout|Tls|TooManyConnections|TransactionWrite)/

const SOCKET_CODES = /^(?:ECONN(?:REFUSED|RESET|ABORTED)|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN)$/

/** The driver's own failures carry no code. */
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
  /** The server's own word for how bad it is. */
  severity: z.string().optional(),
  errorCode: z.string().optional(),
  syscall: z.string().optional(),
  meta: z.looseObject({ driverAdapterError: z.unknown().optional() }).optional(),
  kind: z.string().optional(),
  originalCode: z.string().optional(),
  cause: z.unknown().optional(),
})

/** Errors within errors that are looked at. */
const MAX_DEPTH = 8

/**
 * Whether an error says that the database is down, overloaded or lost the connection, or gave the transaction up for
 * another: the same call may succeed a moment later. Everything else it can say is a bug.
 */
export function isDatabaseOutage(error: unknown, depth = 0): boolean {
  const parsed = failure.safeParse(error)
  if (!parsed.success || depth > MAX_DEPTH) return false
  const { code = '', errorCode = '', severity, syscall, meta, kind = '', originalCode = '', cause } = parsed.data
  return (
    // Five attempts met others' changes.
    error instanceof Conflict ||
    PRISMA_CODES.test(code) ||
    PRISMA_CODES.test(errorCode) ||
    (syscall !== undefined && SOCKET_CODES.test(code)) ||
    ADAPTER_KINDS.test(kind) ||
    // A SQLSTATE has five characters, and so has many a code of Node's: these are the server's only where it signs them.
    ((kind !== '' || severity !== undefined) && SERVER_CODES.test(originalCode || code)) ||
    (error instanceof Error && DRIVER_MESSAGES.has(error.message)) ||
    isDatabaseOutage(meta?.driverAdapterError, depth + 1) ||
    isDatabaseOutage(cause, depth + 1)
  )
}
