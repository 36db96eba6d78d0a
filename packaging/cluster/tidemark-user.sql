-- A user for Tidemark that can do what it does and nothing else, in the database `tidemark`. Run it on every server, as one who may
-- create users, before Tidemark starts for the first time:
--   clickhouse-client --param_password="…" --queries-file tidemark-user.sql
-- A single server has no `logs_local`: there everything that names it is about `logs`, and the engine is MergeTree.
CREATE USER IF NOT EXISTS tidemark IDENTIFIED WITH sha256_password BY {password:String} DEFAULT DATABASE tidemark;

-- Records come in, are read, and are deleted by project. No table can be dropped, emptied or renamed.
GRANT SELECT, INSERT ON tidemark.logs TO tidemark;
GRANT SELECT, INSERT, ALTER DELETE ON tidemark.logs_local TO tidemark;

-- The tables are made at the first start and brought up to date by later versions.
GRANT CREATE TABLE, ALTER COLUMN, ALTER INDEX, ALTER PROJECTION, ALTER SETTINGS, ALTER MODIFY COMMENT ON tidemark.logs TO tidemark;
GRANT CREATE TABLE, ALTER COLUMN, ALTER INDEX, ALTER PROJECTION, ALTER SETTINGS, ALTER MODIFY COMMENT ON tidemark.logs_local TO tidemark;
GRANT SELECT ON system.tables TO tidemark;

-- Statements for all servers of the cluster, and the engines of its two tables. No right to read from any other server.
GRANT CLUSTER ON *.* TO tidemark;
GRANT TABLE ENGINE ON Distributed TO tidemark;
GRANT TABLE ENGINE ON ReplicatedMergeTree TO tidemark;

-- The second wall. Tidemark says with every question whose records it is about, apart from the condition of the statement: the id
-- of the project, or * for what is about none (loading, retention, counting errors, backups). Without a word nothing is seen.
CREATE ROW POLICY IF NOT EXISTS tidemark_project ON tidemark.logs_local
  USING project = getSetting('log_comment') OR getSetting('log_comment') = '*' TO tidemark;
