-- CreateTable
CREATE TABLE "Share" (
    "id" UUID NOT NULL,
    "ownerId" UUID NOT NULL,
    "tokenHash" TEXT NOT NULL,
    "sealedToken" TEXT NOT NULL,
    "title" TEXT NOT NULL DEFAULT '',
    "passwordHash" TEXT,
    "showsTitles" BOOLEAN NOT NULL DEFAULT true,
    "originals" BOOLEAN NOT NULL DEFAULT false,
    "expiresAt" TIMESTAMPTZ(3),
    "maxViews" INTEGER,
    "views" INTEGER NOT NULL DEFAULT 0,
    "requestsPerHour" INTEGER,
    "requestsPerDay" INTEGER,
    "bytesPerDay" BIGINT,
    "albumId" UUID,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "Share_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "ShareImage" (
    "shareId" UUID NOT NULL,
    "imageId" UUID NOT NULL,
    "position" INTEGER NOT NULL,

    CONSTRAINT "ShareImage_pkey" PRIMARY KEY ("shareId","imageId")
);

-- CreateTable
CREATE TABLE "ShareDay" (
    "shareId" UUID NOT NULL,
    "day" DATE NOT NULL,
    "requests" BIGINT NOT NULL DEFAULT 0,
    "bytes" BIGINT NOT NULL DEFAULT 0,
    "refused" BIGINT NOT NULL DEFAULT 0,
    "visitors" BYTEA NOT NULL,
    "nearAt" TIMESTAMPTZ(3),
    "spentAt" TIMESTAMPTZ(3),

    CONSTRAINT "ShareDay_pkey" PRIMARY KEY ("shareId","day")
);

-- CreateIndex
CREATE UNIQUE INDEX "Share_tokenHash_key" ON "Share"("tokenHash");

-- CreateIndex
CREATE INDEX "Share_ownerId_createdAt_id_idx" ON "Share"("ownerId", "createdAt" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "Share_albumId_idx" ON "Share"("albumId");

-- CreateIndex
CREATE INDEX "ShareImage_imageId_idx" ON "ShareImage"("imageId");

-- AddForeignKey
ALTER TABLE "Share" ADD CONSTRAINT "Share_ownerId_fkey" FOREIGN KEY ("ownerId") REFERENCES "User"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Share" ADD CONSTRAINT "Share_albumId_fkey" FOREIGN KEY ("albumId") REFERENCES "Album"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "ShareImage" ADD CONSTRAINT "ShareImage_shareId_fkey" FOREIGN KEY ("shareId") REFERENCES "Share"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "ShareImage" ADD CONSTRAINT "ShareImage_imageId_fkey" FOREIGN KEY ("imageId") REFERENCES "Image"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "ShareDay" ADD CONSTRAINT "ShareDay_shareId_fkey" FOREIGN KEY ("shareId") REFERENCES "Share"("id") ON DELETE CASCADE ON UPDATE CASCADE;
