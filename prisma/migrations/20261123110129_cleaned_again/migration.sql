-- AlterTable
ALTER TABLE "Image" ADD COLUMN     "replacedAt" TIMESTAMPTZ(3);

-- AlterTable
ALTER TABLE "StoredObject" ADD COLUMN     "cleaning" INTEGER NOT NULL DEFAULT 0,
ADD COLUMN     "refusal" TEXT;

-- CreateIndex
CREATE INDEX "StoredObject_cleaning_idx" ON "StoredObject"("cleaning");

-- CreateIndex
CREATE INDEX "StoredObject_refusal_idx" ON "StoredObject"("refusal");
