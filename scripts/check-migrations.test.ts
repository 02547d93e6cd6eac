import { expect, test } from 'vitest'
import { findContractions } from './check-migrations.ts'

const INITIAL = 'CREATE TABLE "Image" ("id" UUID NOT NULL, "old" BOOLEAN NOT NULL DEFAULT false);'
const IGNORED = 'model Image {\n  id String @id\n  old Boolean @default(false) @ignore\n}\n'
const UNREAD = '-- unread: "Image"."old"\nUPDATE "Image" SET "old" = false WHERE "old";'
const DROP = 'ALTER TABLE "Image" DROP COLUMN "old";'
const readableFrom = (name: string) =>
  `CREATE OR REPLACE FUNCTION "readable_from"() RETURNS TEXT LANGUAGE sql IMMUTABLE AS $$ SELECT '${name}' $$;`
const contracts = (since: string) => `-- contracts: "Image"."old" unread since ${since}`

/** Returns the findings for scripts applied one after another, named 1_, 2_ and so on. */
const find = (scripts: readonly string[], schema = '') =>
  findContractions(
    scripts.map((sql, at) => ({ name: `${at + 1}_`, sql })),
    schema,
  )

test.each([
  [
    'a table with its constraints and rows',
    'CREATE TABLE "A" ("id" TEXT);\nCREATE UNIQUE INDEX "A_id" ON "A"("id");\nALTER TABLE "A" ADD CONSTRAINT "A_fkey" FOREIGN KEY ("id") REFERENCES "Image"("id");\nINSERT INTO "A" VALUES (1);',
  ],
  ['a column that may be null', 'ALTER TABLE "Image" ADD COLUMN "a" TEXT;'],
  [
    'columns with a default',
    'ALTER TABLE "Image" ADD COLUMN     "a" TEXT[] NOT NULL DEFAULT \'{}\',\nADD COLUMN "b" INTEGER NOT NULL DEFAULT 1;',
  ],
  [
    'a new column filled in',
    'ALTER TABLE "Image" ADD COLUMN "a" TEXT;\nUPDATE "Image" SET "a" = \'x; DROP TABLE "Image"\';',
  ],
  [
    'a unique index of a new column that earlier versions leave null',
    'ALTER TABLE "Image" ADD COLUMN "a" TEXT;\nCREATE UNIQUE INDEX "b" ON "Image"("a");',
  ],
  ['an index, and its end', 'CREATE INDEX "a" ON "Image"("id");\nDROP INDEX "a";'],
  [
    'a function with statements of its own',
    'CREATE FUNCTION "a"() RETURNS TRIGGER LANGUAGE plpgsql AS $$\nBEGIN\n  DELETE FROM "Image"; -- all\nEND\n$$;',
  ],
  ['comments', '-- DROP TABLE "Image";\n/* DROP TABLE "Image"; */'],
])('%s leaves the database usable for the previous version', (_, sql) => {
  expect(find([INITIAL, sql])).toEqual([])
})

test.each<readonly [string, string]>([
  [DROP, 'declare it: -- contracts: "Image"."old" unread since <migration>'],
  ['DROP TABLE "Image";', 'declare it: -- contracts: "Image" unread since <migration>'],
  ['ALTER TABLE "Image" ADD COLUMN "a" TEXT NOT NULL;', 'earlier versions insert rows without it'],
  ['ALTER TABLE "Image" ADD COLUMN "a" TEXT UNIQUE;', 'earlier versions may write what it forbids'],
  ['ALTER TABLE "Image" ADD COLUMN "a" TEXT, DROP COLUMN "old";', 'DROP COLUMN "old" is not known to be harmless'],
  ['CREATE UNIQUE INDEX "a" ON "Image"("old");', 'earlier versions may write what it forbids'],
  [
    'ALTER TABLE "Image" ADD COLUMN "a" TEXT DEFAULT \'\';\nCREATE UNIQUE INDEX "b" ON "Image"("a");',
    'earlier versions may write what it forbids',
  ],
  [
    'ALTER TABLE "Image" ADD COLUMN "a" TEXT;\nCREATE UNIQUE INDEX "b" ON "Image"("a", "old");',
    'earlier versions may write what it forbids',
  ],
  ['ALTER TABLE "Image" ADD CONSTRAINT "a" CHECK ("old");', 'earlier versions may write what it forbids'],
  ['DROP INDEX "Image_id_key";', 'earlier versions may rely on the index'],
  ['UPDATE "Image" SET "old" = true;', 'it changes "Image"."old", which is in use'],
  ['INSERT INTO "Image" VALUES (1);', 'it adds rows to a table in use'],
  ...[
    'ALTER TABLE "Image" RENAME COLUMN "old" TO "new";',
    'ALTER TABLE "Image" ALTER COLUMN "old" SET NOT NULL;',
    'ALTER TABLE "Image" ALTER COLUMN "old" DROP DEFAULT;',
    'ALTER TABLE "Image" ALTER COLUMN "old" SET DATA TYPE INTEGER;',
    'ALTER TYPE "Role" RENAME TO "Roles";',
    'ALTER TYPE "Role" ADD VALUE \'owner\';',
    'DELETE FROM "Image";',
    'TRUNCATE "Image";',
    'drop table "Image";',
    'DROP FUNCTION "a"();',
  ].map((sql) => [sql, 'not known to be harmless'] as const),
])('%s is found', (sql, problem) => {
  expect(find([INITIAL, sql])).toEqual([expect.stringContaining(problem)])
})

test('a column may be dropped after an earlier migration declared it unread, if older versions are locked out', () => {
  expect(find([INITIAL, UNREAD], IGNORED)).toEqual([])
  expect(find([INITIAL, UNREAD, `${contracts('2_')}\n${readableFrom('2_')}\n${DROP}`])).toEqual([])
})

test.each([
  [
    'in the migration itself',
    [INITIAL, `${UNREAD}\n${contracts('2_')}\n${readableFrom('2_')}\n${DROP}`],
    'no earlier migration 2_ says',
  ],
  ['never', [INITIAL, `${contracts('1_')}\n${readableFrom('1_')}\n${DROP}`], 'no earlier migration 1_ says'],
  [
    'by another migration',
    [INITIAL, UNREAD, `${contracts('1_')}\n${readableFrom('2_')}\n${DROP}`],
    'no earlier migration 1_ says',
  ],
  [
    'without locking out older versions',
    [INITIAL, UNREAD, `${contracts('2_')}\n${DROP}`],
    '"readable_from"() must return',
  ],
  [
    'while versions that read it are still allowed',
    [INITIAL, UNREAD, `${contracts('2_')}\n${readableFrom('1_')}\n${DROP}`],
    '"readable_from"() must return',
  ],
])('a column may not be dropped if it was declared unread %s', (_, scripts, problem) => {
  expect(find(scripts)).toContainEqual(expect.stringContaining(problem))
})

test('a column that is declared unread must be unknown to the Prisma client', () => {
  const schema = IGNORED.replace(' @ignore', '')
  expect(find([INITIAL, UNREAD], schema)).toEqual([
    'prisma/schema.prisma: "Image"."old" is declared unread, and lacks @ignore',
  ])
})

test('the oldest version that may read a database cannot be a later one', () => {
  expect(find([INITIAL, readableFrom('3_')])).toEqual(['2_: "readable_from"() names a later migration'])
})
