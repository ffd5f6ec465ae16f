-- The schema of Memoir 0.1 on PostgreSQL.
--
-- It distributes by `space` as it stands: every key and index of a space's table leads with the space, nothing refers
-- from one space to another, and there is no trigger, no sequence, no default and no clock. `tenants`, `keys`,
-- `taxonomies`, `audit` and `spaces` (which says where a name leads) belong to a tenant; `job_hints` is dealt out by
-- bucket. Text is compared by bytes.

CREATE TABLE tenants (
    id          text COLLATE "C" NOT NULL,
    label       text COLLATE "C" NOT NULL,
    created_at  timestamptz NOT NULL,
    PRIMARY KEY (id)
);

CREATE TABLE keys (
    id          text COLLATE "C" NOT NULL,
    tenant      text COLLATE "C" NOT NULL,
    role        text COLLATE "C" NOT NULL,
    space       text COLLATE "C",
    label       text COLLATE "C" NOT NULL,
    secret      bytea NOT NULL,
    created_at  timestamptz NOT NULL,
    revoked_at  timestamptz,
    PRIMARY KEY (id)
);
CREATE INDEX keys_by_tenant ON keys (tenant, created_at, id);

CREATE TABLE audit (
    tenant      text COLLATE "C" NOT NULL,
    id          text COLLATE "C" NOT NULL,
    at          timestamptz NOT NULL,
    actor       text COLLATE "C" NOT NULL,
    action      text COLLATE "C" NOT NULL,
    space       text COLLATE "C",
    target      text COLLATE "C",
    PRIMARY KEY (tenant, id)
);

CREATE TABLE taxonomies (
    tenant      text COLLATE "C" NOT NULL,
    name        text COLLATE "C" NOT NULL,
    version     bigint NOT NULL,
    body        text COLLATE "C" NOT NULL,
    PRIMARY KEY (tenant, name, version)
);

-- Where a name leads. Written when a space is made and when it is erased, never in between.
CREATE TABLE spaces (
    tenant      text COLLATE "C" NOT NULL,
    id          text COLLATE "C" NOT NULL,
    space       bigint NOT NULL,
    PRIMARY KEY (tenant, id)
);

-- What a space is. Who writes into a space locks this row first, so that writers of one space stand in line.
CREATE TABLE space_heads (
    space        bigint NOT NULL,
    tenant       text COLLATE "C" NOT NULL,
    id           text COLLATE "C" NOT NULL,
    zones        text COLLATE "C" NOT NULL,
    preset       text COLLATE "C" NOT NULL,
    metadata     text COLLATE "C",
    created_at   timestamptz NOT NULL,
    version      bigint NOT NULL,
    last_seq     bigint NOT NULL,
    last_session bigint NOT NULL,
    PRIMARY KEY (space)
);

CREATE TABLE messages (
    space       bigint NOT NULL,
    seq         bigint NOT NULL,
    tenant      text COLLATE "C" NOT NULL,
    id          text COLLATE "C" NOT NULL,
    session     bigint NOT NULL,
    author      text COLLATE "C" NOT NULL,
    role        smallint NOT NULL,
    state       smallint NOT NULL,
    version     bigint NOT NULL,
    said_at     timestamptz NOT NULL,
    recorded_at timestamptz NOT NULL,
    local_date  date NOT NULL,
    utc_offset  integer NOT NULL,
    digest      bigint NOT NULL,
    reply_to    text COLLATE "C",
    extra       text COLLATE "C",
    content     text COLLATE "C" NOT NULL,
    terms       bytea,
    PRIMARY KEY (space, seq)
);
CREATE UNIQUE INDEX messages_by_id ON messages (space, id);
CREATE INDEX messages_by_time ON messages (space, said_at, seq);
CREATE INDEX messages_by_session ON messages (space, session, said_at, seq);

CREATE TABLE message_versions (
    space       bigint NOT NULL,
    seq         bigint NOT NULL,
    version     bigint NOT NULL,
    tenant      text COLLATE "C" NOT NULL,
    content     text COLLATE "C" NOT NULL,
    attachments text COLLATE "C" NOT NULL,
    replaced_at timestamptz NOT NULL,
    PRIMARY KEY (space, seq, version)
);

-- Which rows changed after they were first written: what an index that is behind has to look at again.
CREATE TABLE changes (
    space       bigint NOT NULL,
    version     bigint NOT NULL,
    seq         bigint NOT NULL,
    tenant      text COLLATE "C" NOT NULL,
    PRIMARY KEY (space, version, seq)
);

CREATE TABLE pieces (
    space       bigint NOT NULL,
    no          bigint NOT NULL,
    tenant      text COLLATE "C" NOT NULL,
    bytes       bytea NOT NULL,
    PRIMARY KEY (space, no)
);
-- Pieces are packed already.
ALTER TABLE pieces ALTER COLUMN bytes SET STORAGE EXTERNAL;

CREATE TABLE sessions (
    space         bigint NOT NULL,
    no            bigint NOT NULL,
    tenant        text COLLATE "C" NOT NULL,
    id            text COLLATE "C" NOT NULL,
    thread        text COLLATE "C" NOT NULL,
    explicit      boolean NOT NULL,
    task          text COLLATE "C",
    first_said_at timestamptz NOT NULL,
    last_said_at  timestamptz NOT NULL,
    active_at     timestamptz NOT NULL,
    ended_at      timestamptz,
    end_reason    smallint,
    messages      bigint NOT NULL,
    stale         boolean NOT NULL,
    metadata      text COLLATE "C",
    PRIMARY KEY (space, no)
);
CREATE UNIQUE INDEX sessions_by_id ON sessions (space, id);
CREATE INDEX sessions_by_thread ON sessions (space, thread, first_said_at) WHERE NOT explicit;
CREATE UNIQUE INDEX sessions_open ON sessions (space, thread) WHERE NOT explicit AND ended_at IS NULL;

CREATE TABLE summaries (
    space       bigint NOT NULL,
    level       smallint NOT NULL,
    period      text COLLATE "C" NOT NULL,
    tenant      text COLLATE "C" NOT NULL,
    body        text COLLATE "C" NOT NULL,
    terms       bytea NOT NULL,
    PRIMARY KEY (space, level, period)
);

CREATE TABLE memories (
    space       bigint NOT NULL,
    id          text COLLATE "C" NOT NULL,
    tenant      text COLLATE "C" NOT NULL,
    kind        text COLLATE "C" NOT NULL,
    status      smallint NOT NULL,
    body        text COLLATE "C" NOT NULL,
    terms       bytea NOT NULL,
    PRIMARY KEY (space, id)
);

CREATE TABLE jobs (
    space       bigint NOT NULL,
    id          text COLLATE "C" NOT NULL,
    tenant      text COLLATE "C" NOT NULL,
    kind        text COLLATE "C" NOT NULL,
    key         text COLLATE "C" NOT NULL,
    payload     text COLLATE "C" NOT NULL,
    lane        smallint NOT NULL,
    run_at      timestamptz NOT NULL,
    again_at    timestamptz,
    attempts    bigint NOT NULL,
    state       smallint NOT NULL,
    token       bigint NOT NULL,
    last_error  text COLLATE "C",
    created_at  timestamptz NOT NULL,
    PRIMARY KEY (space, id)
);
CREATE UNIQUE INDEX jobs_by_key ON jobs (space, kind, key);
CREATE INDEX jobs_leased ON jobs (space, lane) WHERE state = 1;

-- Where work may be due: never later than the earliest job of that kind in that space, often earlier. A look that finds
-- nothing sets it right; a sweep puts back what should be missing.
CREATE TABLE job_hints (
    bucket      smallint NOT NULL,
    space       bigint NOT NULL,
    kind        text COLLATE "C" NOT NULL,
    tenant      text COLLATE "C" NOT NULL,
    run_at      timestamptz NOT NULL,
    PRIMARY KEY (bucket, space, kind)
);
CREATE INDEX job_hints_due ON job_hints (bucket, kind, run_at);

-- What a transaction may see is said inside it, by `SET LOCAL`: the tenant always, and the one space that it serves, if
-- it serves one. A transaction that does not say sees nothing. The owner of the tables is held to it like everybody.
GRANT USAGE ON SCHEMA memoir TO memoir_app, memoir_worker;
GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA memoir TO memoir_app;
REVOKE ALL ON schema_versions FROM memoir_app;

ALTER TABLE tenants ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY of_tenant ON tenants TO memoir_app USING (id = current_setting('memoir.tenant', true));

ALTER TABLE keys ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY of_tenant ON keys TO memoir_app USING (tenant = current_setting('memoir.tenant', true));
-- Whoever presents a key may look up that key, to learn its tenant.
CREATE POLICY as_presented ON keys FOR SELECT TO memoir_app USING (id = current_setting('memoir.key', true));

ALTER TABLE audit ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY of_tenant ON audit TO memoir_app USING (tenant = current_setting('memoir.tenant', true));

ALTER TABLE taxonomies ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY of_tenant ON taxonomies TO memoir_app USING (tenant = current_setting('memoir.tenant', true));

DO $policies$
DECLARE
    name text;
BEGIN
    FOREACH name IN ARRAY ARRAY['spaces', 'space_heads', 'messages', 'message_versions', 'changes', 'pieces',
                                'sessions', 'summaries', 'memories', 'jobs', 'job_hints']
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

-- Background work belongs to no tenant. Its role finds out where work is due and whose it is, and reads no word of
-- anybody; the work itself is leased and done as the tenant's.
CREATE POLICY for_worker ON tenants FOR SELECT TO memoir_worker USING (true);
CREATE POLICY for_worker ON keys FOR SELECT TO memoir_worker USING (true);
CREATE POLICY for_worker ON spaces FOR SELECT TO memoir_worker USING (true);
CREATE POLICY for_worker ON space_heads FOR SELECT TO memoir_worker USING (true);
CREATE POLICY for_worker ON jobs FOR SELECT TO memoir_worker USING (true);
CREATE POLICY for_worker ON job_hints TO memoir_worker USING (true);
GRANT SELECT ON tenants, spaces, jobs TO memoir_worker;
GRANT SELECT (space, tenant) ON space_heads TO memoir_worker;
GRANT SELECT (id, revoked_at) ON keys TO memoir_worker;
GRANT SELECT, INSERT, UPDATE, DELETE ON job_hints TO memoir_worker;
