-- CreateTable
CREATE TABLE "RemovalPause" (
    "id" UUID NOT NULL,
    "until" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "RemovalPause_pkey" PRIMARY KEY ("id")
);
