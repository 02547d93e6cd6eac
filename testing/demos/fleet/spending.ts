import type { PrismaClient } from '#server/database/database.ts'
import type { CountingS3, SeenOperation } from '../../servers/counting-s3.ts'

/** A class of requests, or a direction of bytes: what the budgets have counted, and what the bucket has seen. */
export interface Counted {
  readonly name: string
  readonly counted: number
  readonly seen: number
}

export async function compareSpending(db: PrismaClient, { requests, bytes }: CountingS3): Promise<readonly Counted[]> {
  const { _sum: sums } = await db.spending.aggregate({
    where: { period: 'day' },
    _sum: { writes: true, reads: true, deletes: true, bytesIn: true, bytesOut: true },
  })
  const seen = (...names: SeenOperation[]) => names.reduce((sum, name) => sum + (requests.get(name) ?? 0), 0)
  const { writes, reads, deletes, bytesIn, bytesOut } = sums
  return [
    {
      name: 'writes',
      counted: Number(writes),
      seen: seen('put', 'create upload', 'part', 'complete upload', 'list'),
    },
    { name: 'reads', counted: Number(reads), seen: seen('get', 'head') },
    { name: 'deletes', counted: Number(deletes), seen: seen('delete', 'abort upload') },
    { name: 'bytes in', counted: Number(bytesIn), seen: bytes.in },
    { name: 'bytes out', counted: Number(bytesOut), seen: bytes.out },
  ]
}
