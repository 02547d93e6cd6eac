-- Apart from the migration before, so that images can be read in the meantime.

-- CreateIndex
CREATE INDEX "Image_ownerId_datedAt_id_idx" ON "Image"("ownerId", "datedAt" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "Image_datedAt_id_idx" ON "Image"("datedAt" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "Image_ownerId_titleKey_id_idx" ON "Image"("ownerId", "titleKey", "id");

-- CreateIndex
CREATE INDEX "Image_titleKey_id_idx" ON "Image"("titleKey", "id");

-- CreateIndex
CREATE INDEX "Image_ownerId_size_id_idx" ON "Image"("ownerId", "size" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "Image_size_id_idx" ON "Image"("size" DESC, "id" DESC);

-- Prisma does not know this one. Without a list of pending entries, which every search would have to scan.
CREATE INDEX "Image_terms_idx" ON "Image" USING gin ("image_terms"(
  "searchText", "ownerId", "filedUnder", "mime", "visibility", "width", "height", "size")) WITH (fastupdate = off);

-- Of the few animations among all objects.
CREATE INDEX "StoredObject_animated_idx" ON "StoredObject"("sha256") WHERE "frames" > 1;
