-- DropIndex
DROP INDEX "Image_trashedAt_idx";

-- AlterTable
ALTER TABLE "MaintenanceTask" ADD COLUMN     "aliveAt" TIMESTAMPTZ(3) NOT NULL;

-- AlterTable
ALTER TABLE "StoredObject" ADD COLUMN     "heldUntil" TIMESTAMPTZ(3),
ADD COLUMN     "holds" INTEGER NOT NULL DEFAULT 0,
ADD COLUMN     "removingUntil" TIMESTAMPTZ(3);

-- CreateIndex
CREATE INDEX "Image_ownerId_trashedAt_id_idx" ON "Image"("ownerId", "trashedAt" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "Image_trashedAt_id_idx" ON "Image"("trashedAt" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "StoredObject_state_idx" ON "StoredObject"("state");
