-- AlterTable
ALTER TABLE "Image" ADD COLUMN     "awaitsApproval" BOOLEAN NOT NULL DEFAULT false;

-- AlterTable
ALTER TABLE "User" ADD COLUMN     "guestAddress" TEXT,
ADD COLUMN     "guestUntil" TIMESTAMPTZ(3);

-- CreateIndex
-- Prisma does not know partial indexes.
CREATE INDEX "Image_awaitsApproval_idx" ON "Image"("createdAt", "id") WHERE "awaitsApproval";

-- CreateIndex
CREATE INDEX "User_guestUntil_idx" ON "User"("guestUntil");
