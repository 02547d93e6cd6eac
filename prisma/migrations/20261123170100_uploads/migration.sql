-- AlterTable
ALTER TABLE "User" ADD COLUMN     "keepsPhotoDetails" BOOLEAN NOT NULL DEFAULT false;

-- CreateIndex
CREATE INDEX "Image_uploadSha256_idx" ON "Image"("uploadSha256");
