-- AlterTable
ALTER TABLE "OneTimeLink" ADD COLUMN     "isMailed" BOOLEAN NOT NULL DEFAULT false;

-- AlterTable
ALTER TABLE "User" ADD COLUMN     "wantsShareMails" BOOLEAN NOT NULL DEFAULT true,
ADD COLUMN     "pendingEmail" TEXT;
