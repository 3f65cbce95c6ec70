CREATE TABLE `seaql_migrations` (
  `version` varchar(255) NOT NULL,
  `applied_at` bigint(20) NOT NULL,
  PRIMARY KEY (`version`)
) ENGINE=InnoDB DEFAULT CHARSET=latin1 COLLATE=latin1_swedish_ci;
INSERT INTO `seaql_migrations` VALUES
('m20261121_000001_create_vehicle',1795878840),
('m20261122_000001_add_version',1795878840),
('m20261122_000002_add_creation_key',1795878840),
('m20261122_000003_create_indexes',1795878840);
CREATE TABLE `vehicle` (
  `id` bigint(20) NOT NULL AUTO_INCREMENT,
  `type` varchar(255) NOT NULL,
  `model_code` varchar(255) NOT NULL,
  `brand_name` varchar(255) DEFAULT NULL,
  `launch_date` date DEFAULT NULL,
  `version` int(11) NOT NULL DEFAULT 1,
  `creation_key` binary(16) DEFAULT NULL,
  `creation_digest` binary(8) DEFAULT NULL,
  PRIMARY KEY (`id`),
  UNIQUE KEY `vehicle_creation_key` (`creation_key`),
  KEY `vehicle_launch_date` (`launch_date`,`id`),
  KEY `vehicle_type_launch_date` (`type`,`launch_date`,`id`),
  KEY `vehicle_model_code_launch_date` (`model_code`,`launch_date`,`id`),
  KEY `vehicle_brand_name_launch_date` (`brand_name`,`launch_date`,`id`)
) ENGINE=InnoDB AUTO_INCREMENT=3 DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_nopad_bin;
INSERT INTO `vehicle` VALUES
(1,'SUV','XC60','Volvo','2024-02-29',3,NULL,NULL),
(2,'VAN','T 🚐',NULL,NULL,1,NULL,NULL);
