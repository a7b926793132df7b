-- An empty store for the next case of a test. Making the schema takes longer than most cases, so the
-- first case keeps the rows of a store that was just made (pristine.keep), and later cases put them
-- back (pristine.reset). reset fails if a case changed the schema itself; the fixture then makes it
-- again. postgresql-server loads this into the template of all databases.

CREATE SCHEMA pristine;

-- Everything that the schema consists of: tables, indexes, columns, constraints.
CREATE FUNCTION pristine.shape() RETURNS text LANGUAGE sql AS $$
    WITH relation AS (
        SELECT * FROM pg_class WHERE relnamespace = to_regnamespace('stockact')
    ), part AS (
        SELECT concat_ws(' ', oid, relname, relkind) AS text FROM relation
        UNION ALL
        SELECT concat_ws(' ', attrelid, attname, atttypid, attnotnull, atthasdef, attisdropped)
        FROM pg_attribute JOIN relation ON attrelid = relation.oid
        UNION ALL
        SELECT concat_ws(' ', pg_constraint.oid, conname, convalidated)
        FROM pg_constraint JOIN relation ON conrelid = relation.oid
        UNION ALL
        SELECT concat_ws(' ', pg_trigger.oid, tgname, tgenabled)
        FROM pg_trigger JOIN relation ON tgrelid = relation.oid
    )
    SELECT coalesce(md5(string_agg(text, ',' ORDER BY text)), '') FROM part
$$;

CREATE TABLE pristine.kept (shape text);
CREATE TABLE pristine.sequence (name text, last_value bigint);

CREATE PROCEDURE pristine.keep() LANGUAGE plpgsql AS $$
DECLARE
    name text;
    has_rows boolean;
BEGIN
    DROP SCHEMA IF EXISTS pristine_rows CASCADE;
    CREATE SCHEMA pristine_rows;
    FOR name IN SELECT tablename FROM pg_tables WHERE schemaname = 'stockact' LOOP
        EXECUTE format('SELECT EXISTS (SELECT FROM stockact.%I)', name) INTO has_rows;
        IF has_rows THEN
            EXECUTE format('CREATE TABLE pristine_rows.%I AS TABLE stockact.%I', name, name);
        END IF;
    END LOOP;
    TRUNCATE pristine.kept, pristine.sequence;
    INSERT INTO pristine.sequence
        SELECT sequencename, last_value FROM pg_sequences WHERE schemaname = 'stockact';
    INSERT INTO pristine.kept VALUES (pristine.shape());
END
$$;

CREATE PROCEDURE pristine.reset() LANGUAGE plpgsql AS $$
DECLARE
    name text;
BEGIN
    IF (SELECT shape FROM pristine.kept) IS DISTINCT FROM pristine.shape() THEN
        RAISE 'the schema was changed';
    END IF;
    SET LOCAL session_replication_role = replica; -- no foreign keys while rows are replaced
    FOR name IN SELECT tablename FROM pg_tables WHERE schemaname = 'stockact' LOOP
        IF pg_total_relation_size(format('stockact.%I', name)) > 300000 THEN
            EXECUTE format('TRUNCATE stockact.%I CASCADE', name);
        ELSE
            EXECUTE format('DELETE FROM stockact.%I', name);
        END IF;
    END LOOP;
    FOR name IN SELECT tablename FROM pg_tables WHERE schemaname = 'pristine_rows' LOOP
        EXECUTE format('INSERT INTO stockact.%I TABLE pristine_rows.%I', name, name);
    END LOOP;
    PERFORM setval(format('stockact.%I', s.name), coalesce(s.last_value, 1), s.last_value IS NOT NULL)
    FROM pristine.sequence s;
END
$$;
