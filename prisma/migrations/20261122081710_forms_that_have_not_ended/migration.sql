-- AlterTable
ALTER TABLE "Image" ADD COLUMN     "formOpen" BOOLEAN NOT NULL DEFAULT false;

-- CreateIndex
CREATE INDEX "Image_formOpen_idx" ON "Image"("createdAt") WHERE "formOpen";
