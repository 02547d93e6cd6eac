-- AlterTable
ALTER TABLE "StoredObject" ADD COLUMN     "variantsDue" BOOLEAN NOT NULL DEFAULT false;
