-- AlterTable
ALTER TABLE "AuditEntry" ADD COLUMN     "accountId" UUID,
ADD COLUMN     "accountName" TEXT,
ADD COLUMN     "address" TEXT,
ADD COLUMN     "times" INTEGER NOT NULL DEFAULT 1,
ADD COLUMN     "tokenId" UUID,
ADD COLUMN     "tokenName" TEXT,
ADD COLUMN     "until" TIMESTAMPTZ(3),
ADD COLUMN     "userAgent" TEXT;

-- CreateIndex
CREATE INDEX "AuditEntry_at_id_idx" ON "AuditEntry"("at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "AuditEntry_actorId_at_id_idx" ON "AuditEntry"("actorId", "at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "AuditEntry_accountId_at_id_idx" ON "AuditEntry"("accountId", "at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "AuditEntry_action_at_id_idx" ON "AuditEntry"("action", "at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "AuditEntry_address_at_id_idx" ON "AuditEntry"("address", "at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "AuditEntry_requestId_idx" ON "AuditEntry"("requestId");

-- Whom earlier entries concern.
UPDATE "AuditEntry" SET "accountId" = substring("target" FROM 6)::uuid, "accountName" = (
  SELECT "username" FROM "User" WHERE "User"."id" = substring("target" FROM 6)::uuid)
WHERE "target" ~ '^user/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$';
