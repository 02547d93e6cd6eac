-- AlterTable
ALTER TABLE "User" ADD COLUMN     "banReason" TEXT,
ADD COLUMN     "displayName" TEXT,
ADD COLUMN     "lastSeenAt" TIMESTAMPTZ(3),
ADD COLUMN     "pictureHash" TEXT;

-- CreateTable
CREATE TABLE "UserPicture" (
    "userId" UUID NOT NULL,
    "hash" TEXT NOT NULL,
    "bytes" BYTEA NOT NULL,

    CONSTRAINT "UserPicture_pkey" PRIMARY KEY ("userId")
);

-- CreateIndex
CREATE UNIQUE INDEX "UserPicture_hash_key" ON "UserPicture"("hash");

-- AddForeignKey
ALTER TABLE "UserPicture" ADD CONSTRAINT "UserPicture_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- When accounts were last seen, as far as their sessions, devices and tokens tell.
UPDATE "User" SET "lastSeenAt" = GREATEST(
  (SELECT max("createdAt") FROM "Session" WHERE "userId" = "User"."id"),
  (SELECT max("lastUsedAt") FROM "Device" WHERE "userId" = "User"."id"),
  (SELECT max("lastUsedAt") FROM "ApiToken" WHERE "userId" = "User"."id"),
  (SELECT max("createdAt") FROM "Image" WHERE "ownerId" = "User"."id"));
