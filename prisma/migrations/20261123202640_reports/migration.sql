-- CreateTable
CREATE TABLE "Report" (
    "id" UUID NOT NULL,
    "imageId" UUID NOT NULL,
    "openedAt" TIMESTAMPTZ(3) NOT NULL,
    "lastAt" TIMESTAMPTZ(3) NOT NULL,
    "closedAt" TIMESTAMPTZ(3),
    "outcome" TEXT,
    "closedBy" TEXT,

    CONSTRAINT "Report_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "ReportEntry" (
    "reportId" UUID NOT NULL,
    "reporter" TEXT NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "reason" TEXT NOT NULL,
    "text" TEXT NOT NULL DEFAULT '',
    "userId" UUID,
    "shareId" UUID,

    CONSTRAINT "ReportEntry_pkey" PRIMARY KEY ("reportId","reporter")
);

-- CreateIndex
CREATE UNIQUE INDEX "Report_imageId_key" ON "Report"("imageId");

-- CreateIndex
CREATE INDEX "Report_closedAt_lastAt_id_idx" ON "Report"("closedAt", "lastAt" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "Report_lastAt_id_idx" ON "Report"("lastAt" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "ReportEntry_userId_idx" ON "ReportEntry"("userId");

-- CreateIndex
CREATE INDEX "ReportEntry_shareId_idx" ON "ReportEntry"("shareId");

-- AddForeignKey
ALTER TABLE "Report" ADD CONSTRAINT "Report_imageId_fkey" FOREIGN KEY ("imageId") REFERENCES "Image"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "ReportEntry" ADD CONSTRAINT "ReportEntry_reportId_fkey" FOREIGN KEY ("reportId") REFERENCES "Report"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "ReportEntry" ADD CONSTRAINT "ReportEntry_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "ReportEntry" ADD CONSTRAINT "ReportEntry_shareId_fkey" FOREIGN KEY ("shareId") REFERENCES "Share"("id") ON DELETE SET NULL ON UPDATE CASCADE;
