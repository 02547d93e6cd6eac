-- CreateTable
CREATE TABLE "ImageUsageDay" (
    "day" DATE NOT NULL,
    "image" TEXT NOT NULL,
    "reads" BIGINT NOT NULL DEFAULT 0,
    "sent" BIGINT NOT NULL DEFAULT 0,

    CONSTRAINT "ImageUsageDay_pkey" PRIMARY KEY ("day","image")
);
