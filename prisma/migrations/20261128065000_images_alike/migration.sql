-- Cleaning by later rules may turn two images of an owner into the same bytes, and each keeps its address.
CREATE INDEX "Image_ownerId_sha256_idx" ON "Image"("ownerId", "sha256");

DROP INDEX "Image_ownerId_sha256_key";
