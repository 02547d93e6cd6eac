-- AlterTable
ALTER TABLE "PendingSignIn" ADD COLUMN     "provider" TEXT,
ADD COLUMN     "sealedIdToken" TEXT;

-- AlterTable
ALTER TABLE "Session" ADD COLUMN     "hasProviderFactor" BOOLEAN NOT NULL DEFAULT false,
ADD COLUMN     "provider" TEXT,
ADD COLUMN     "sealedIdToken" TEXT;

-- CreateTable
CREATE TABLE "OidcProvider" (
    "name" TEXT NOT NULL,
    "issuer" TEXT NOT NULL,
    "clientId" TEXT NOT NULL,
    "sealedSecret" TEXT,
    "scopes" TEXT NOT NULL,
    "label" TEXT NOT NULL,
    "opensAccounts" BOOLEAN NOT NULL,
    "linksByEmail" BOOLEAN NOT NULL,
    "secondFactor" TEXT NOT NULL,
    "endsSession" BOOLEAN NOT NULL,
    "isEnabled" BOOLEAN NOT NULL,
    "position" INTEGER NOT NULL,
    "version" INTEGER NOT NULL DEFAULT 1,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "OidcProvider_pkey" PRIMARY KEY ("name")
);

-- CreateTable
CREATE TABLE "OidcFlow" (
    "id" UUID NOT NULL,
    "providerName" TEXT NOT NULL,
    "purpose" TEXT NOT NULL,
    "state" TEXT NOT NULL,
    "nonce" TEXT NOT NULL,
    "verifier" TEXT NOT NULL,
    "next" TEXT NOT NULL,
    "inviteHash" TEXT,
    "sessionId" UUID,
    "address" TEXT NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL,
    "expiresAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "OidcFlow_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "OidcProvider_issuer_key" ON "OidcProvider"("issuer");

-- CreateIndex
CREATE INDEX "OidcFlow_address_createdAt_idx" ON "OidcFlow"("address", "createdAt");

-- CreateIndex
CREATE INDEX "OidcFlow_expiresAt_idx" ON "OidcFlow"("expiresAt");

-- AddForeignKey
ALTER TABLE "OidcFlow" ADD CONSTRAINT "OidcFlow_providerName_fkey" FOREIGN KEY ("providerName") REFERENCES "OidcProvider"("name") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "OidcFlow" ADD CONSTRAINT "OidcFlow_sessionId_fkey" FOREIGN KEY ("sessionId") REFERENCES "Session"("id") ON DELETE CASCADE ON UPDATE CASCADE;
