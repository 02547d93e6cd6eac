-- CreateTable
CREATE TABLE "LimitOverride" (
    "ruleSet" TEXT NOT NULL,
    "target" TEXT NOT NULL,
    "terms" JSONB NOT NULL,
    "note" TEXT,
    "changedAt" TIMESTAMPTZ(3) NOT NULL,
    "changedBy" TEXT NOT NULL,

    CONSTRAINT "LimitOverride_pkey" PRIMARY KEY ("ruleSet","target")
);

-- CreateTable
CREATE TABLE "AuditEntry" (
    "id" BIGSERIAL NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "actorId" UUID NOT NULL,
    "actorName" TEXT NOT NULL,
    "action" TEXT NOT NULL,
    "target" TEXT NOT NULL,
    "before" JSONB,
    "after" JSONB,
    "requestId" TEXT NOT NULL,

    CONSTRAINT "AuditEntry_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "AuditEntry_target_id_idx" ON "AuditEntry"("target", "id" DESC);
