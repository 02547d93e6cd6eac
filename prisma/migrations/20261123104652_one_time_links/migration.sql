-- CreateTable
CREATE TABLE "OneTimeLink" (
    "linkHash" TEXT NOT NULL,
    "purpose" TEXT NOT NULL,
    "userId" UUID NOT NULL,
    "createdById" UUID,
    "createdAt" TIMESTAMPTZ(3) NOT NULL,
    "expiresAt" TIMESTAMPTZ(3) NOT NULL,
    "usedAt" TIMESTAMPTZ(3),
    "usedFrom" TEXT,

    CONSTRAINT "OneTimeLink_pkey" PRIMARY KEY ("linkHash")
);

-- CreateIndex
CREATE INDEX "OneTimeLink_userId_createdAt_idx" ON "OneTimeLink"("userId", "createdAt");

-- CreateIndex
CREATE INDEX "OneTimeLink_createdById_idx" ON "OneTimeLink"("createdById");

-- AddForeignKey
ALTER TABLE "OneTimeLink" ADD CONSTRAINT "OneTimeLink_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "OneTimeLink" ADD CONSTRAINT "OneTimeLink_createdById_fkey" FOREIGN KEY ("createdById") REFERENCES "User"("id") ON DELETE SET NULL ON UPDATE CASCADE;
