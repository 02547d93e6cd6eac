// Generates what checks and tests need and the repository lacks: Prisma's client and an empty database, in `generated/`; with the
// argument `client`, the client alone.
import { buildIfStale } from '#server/build.ts'

await buildIfStale({ database: process.argv[2] !== 'client' })
