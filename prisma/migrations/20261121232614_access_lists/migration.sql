-- CreateTable
CREATE TABLE "AccessRule" (
    "cidr" TEXT NOT NULL,
    "verdict" TEXT NOT NULL,
    "note" TEXT,
    "changedAt" TIMESTAMPTZ(3) NOT NULL,
    "changedBy" TEXT NOT NULL,

    CONSTRAINT "AccessRule_pkey" PRIMARY KEY ("cidr")
);

-- CreateTable
CREATE TABLE "HotlinkRule" (
    "id" INTEGER NOT NULL,
    "terms" JSONB NOT NULL,
    "changedAt" TIMESTAMPTZ(3) NOT NULL,
    "changedBy" TEXT NOT NULL,

    CONSTRAINT "HotlinkRule_pkey" PRIMARY KEY ("id")
);
