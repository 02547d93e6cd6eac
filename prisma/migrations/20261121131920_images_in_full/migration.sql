-- AlterTable
ALTER TABLE "StoredObject" ADD COLUMN     "frames" INTEGER NOT NULL DEFAULT 1,
ADD COLUMN     "placeholder" TEXT,
ADD COLUMN     "variants" JSONB NOT NULL DEFAULT '[]';

-- AlterTable
ALTER TABLE "User" ADD COLUMN     "quotaBytes" BIGINT,
ADD COLUMN     "usedBytes" BIGINT NOT NULL DEFAULT 0;

-- CreateTable
CREATE TABLE "MaintenanceTask" (
    "name" TEXT NOT NULL,
    "startedAt" TIMESTAMPTZ(3) NOT NULL,
    "finishedAt" TIMESTAMPTZ(3),
    "report" JSONB,

    CONSTRAINT "MaintenanceTask_pkey" PRIMARY KEY ("name")
);

-- CreateIndex
CREATE INDEX "Image_trashedAt_idx" ON "Image"("trashedAt");

-- What everybody has already counts.
UPDATE "User" SET "usedBytes" = (SELECT COALESCE(SUM("size"), 0) FROM "Image" WHERE "ownerId" = "User"."id");
