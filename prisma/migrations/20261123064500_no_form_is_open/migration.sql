-- unread: "Image"."formOpen"
-- Files of a form are stored once the form has ended: no image waits for the end of its form any more. Those that a crash left
-- waiting stay as they are, their owner's alone unless that one has said otherwise. Nothing reads the column from here on.
UPDATE "Image" SET "formOpen" = false WHERE "formOpen";
