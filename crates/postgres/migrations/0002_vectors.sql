-- Vectors of messages, in generations that are never compared with each other. A space has two at most, the one that serves
-- and the one that is being made. A vector that is null is to be made again.

ALTER TABLE space_heads ADD COLUMN vectors bigint NOT NULL DEFAULT 0;
ALTER TABLE space_heads ALTER COLUMN vectors DROP DEFAULT;

CREATE TABLE generations (
    space       bigint NOT NULL,
    no          bigint NOT NULL,
    tenant      text COLLATE "C" NOT NULL,
    id          text COLLATE "C" NOT NULL,
    dimension   bigint NOT NULL,
    cursor      bigint NOT NULL,
    serves      boolean NOT NULL,
    PRIMARY KEY (space, no)
);
CREATE UNIQUE INDEX generations_apart ON generations (space, (no & 1));

CREATE TABLE vectors (
    space       bigint NOT NULL,
    generation  bigint NOT NULL,
    seq         bigint NOT NULL,
    tenant      text COLLATE "C" NOT NULL,
    version     bigint NOT NULL,
    vector      public.vector,
    PRIMARY KEY (space, generation, seq)
);
CREATE INDEX vectors_by_version ON vectors (space, generation, version);
CREATE INDEX vectors_wanted ON vectors (space, generation, seq) WHERE vector IS NULL;
-- A vector does not compress.
ALTER TABLE vectors ALTER COLUMN vector SET STORAGE PLAIN;

GRANT SELECT, INSERT, UPDATE, DELETE ON generations, vectors TO memoir_app;

DO $policies$
DECLARE
    name text;
BEGIN
    FOREACH name IN ARRAY ARRAY['generations', 'vectors']
    LOOP
        EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY', name);
        EXECUTE format($policy$
            CREATE POLICY of_space ON %I TO memoir_app USING (
                tenant = current_setting('memoir.tenant', true)
                AND (current_setting('memoir.space', true) = 'any'
                     OR space::text = current_setting('memoir.space', true)))
            $policy$, name);
    END LOOP;
END
$policies$;
