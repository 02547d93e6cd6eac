-- DropTable
DROP TABLE "MaintenanceTask";
