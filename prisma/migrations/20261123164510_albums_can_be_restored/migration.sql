-- AlterTable
ALTER TABLE "Album" ADD COLUMN     "deletedAt" TIMESTAMPTZ(3);

-- CreateIndex
CREATE INDEX "Album_visibility_changedAt_id_idx" ON "Album"("visibility", "changedAt" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "Album_changedAt_id_idx" ON "Album"("changedAt" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "Album_deletedAt_idx" ON "Album"("deletedAt");
