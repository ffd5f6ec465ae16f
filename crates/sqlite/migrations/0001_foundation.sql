-- The schema of Memoir 0.1. Every table of a space leads with the space; a message's key packs the space (40 bits)
-- and its number (24 bits) into one integer, so that the rows of a space lie side by side.

CREATE TABLE tenants (
    id          TEXT PRIMARY KEY,
    label       TEXT NOT NULL,
    created_at  INTEGER NOT NULL
) WITHOUT ROWID;

CREATE TABLE keys (
    id          TEXT PRIMARY KEY,
    tenant      TEXT NOT NULL,
    role        TEXT NOT NULL,
    space       TEXT,
    label       TEXT NOT NULL,
    secret      BLOB NOT NULL,
    created_at  INTEGER NOT NULL,
    revoked_at  INTEGER
) WITHOUT ROWID;
CREATE INDEX keys_by_tenant ON keys (tenant, created_at);

CREATE TABLE audit (
    tenant      TEXT NOT NULL,
    id          TEXT NOT NULL,
    at          INTEGER NOT NULL,
    actor       TEXT NOT NULL,
    action      TEXT NOT NULL,
    space       TEXT,
    target      TEXT,
    PRIMARY KEY (tenant, id)
) WITHOUT ROWID;

CREATE TABLE taxonomies (
    tenant      TEXT NOT NULL,
    name        TEXT NOT NULL,
    version     INTEGER NOT NULL,
    body        TEXT NOT NULL,
    PRIMARY KEY (tenant, name, version)
) WITHOUT ROWID;

CREATE TABLE spaces (
    space        INTEGER PRIMARY KEY,
    tenant       TEXT NOT NULL,
    id           TEXT NOT NULL,
    zones        TEXT NOT NULL,
    preset       TEXT NOT NULL,
    metadata     TEXT,
    created_at   INTEGER NOT NULL,
    version      INTEGER NOT NULL,
    last_seq     INTEGER NOT NULL,
    last_session INTEGER NOT NULL
);
CREATE UNIQUE INDEX spaces_by_id ON spaces (tenant, id);

CREATE TABLE messages (
    key         INTEGER PRIMARY KEY,
    id          TEXT NOT NULL,
    session     INTEGER NOT NULL,
    author      TEXT NOT NULL,
    role        INTEGER NOT NULL,
    state       INTEGER NOT NULL,
    version     INTEGER NOT NULL,
    said_at     INTEGER NOT NULL,
    recorded_at INTEGER NOT NULL,
    local_date  TEXT NOT NULL,
    utc_offset  INTEGER NOT NULL,
    digest      INTEGER NOT NULL,
    reply_to    TEXT,
    extra       TEXT,
    content     TEXT NOT NULL,
    terms       BLOB
);
CREATE UNIQUE INDEX messages_by_id ON messages (key >> 24, id);
CREATE INDEX messages_by_time ON messages (key >> 24, said_at);
CREATE INDEX messages_by_session ON messages (key >> 24, session, said_at);

CREATE TABLE message_versions (
    space       INTEGER NOT NULL,
    seq         INTEGER NOT NULL,
    version     INTEGER NOT NULL,
    content     TEXT NOT NULL,
    attachments TEXT NOT NULL,
    replaced_at INTEGER NOT NULL,
    PRIMARY KEY (space, seq, version)
) WITHOUT ROWID;

-- Which rows changed after they were first written: what an index that is behind has to look at again.
CREATE TABLE changes (
    space       INTEGER NOT NULL,
    version     INTEGER NOT NULL,
    seq         INTEGER NOT NULL,
    PRIMARY KEY (space, version, seq)
) WITHOUT ROWID;

CREATE TABLE pieces (
    space       INTEGER NOT NULL,
    no          INTEGER NOT NULL,
    bytes       BLOB NOT NULL,
    PRIMARY KEY (space, no)
);

CREATE TABLE sessions (
    space         INTEGER NOT NULL,
    no            INTEGER NOT NULL,
    id            TEXT NOT NULL,
    thread        TEXT NOT NULL,
    explicit      INTEGER NOT NULL,
    task          TEXT,
    first_said_at INTEGER NOT NULL,
    last_said_at  INTEGER NOT NULL,
    active_at     INTEGER NOT NULL,
    ended_at      INTEGER,
    end_reason    INTEGER,
    messages      INTEGER NOT NULL,
    stale         INTEGER NOT NULL,
    metadata      TEXT,
    PRIMARY KEY (space, no)
) WITHOUT ROWID;
CREATE UNIQUE INDEX sessions_by_id ON sessions (space, id);
CREATE INDEX sessions_by_thread ON sessions (space, thread, first_said_at) WHERE explicit = 0;
CREATE UNIQUE INDEX sessions_open ON sessions (space, thread) WHERE explicit = 0 AND ended_at IS NULL;

CREATE TABLE summaries (
    space       INTEGER NOT NULL,
    level       INTEGER NOT NULL,
    period      TEXT NOT NULL,
    body        TEXT NOT NULL,
    terms       BLOB NOT NULL,
    PRIMARY KEY (space, level, period)
) WITHOUT ROWID;

CREATE TABLE memories (
    space       INTEGER NOT NULL,
    id          TEXT NOT NULL,
    kind        TEXT NOT NULL,
    status      INTEGER NOT NULL,
    body        TEXT NOT NULL,
    terms       BLOB NOT NULL,
    PRIMARY KEY (space, id)
) WITHOUT ROWID;

CREATE TABLE jobs (
    space       INTEGER NOT NULL,
    id          TEXT NOT NULL,
    tenant      TEXT NOT NULL,
    kind        TEXT NOT NULL,
    key         TEXT NOT NULL,
    payload     TEXT NOT NULL,
    lane        INTEGER NOT NULL,
    run_at      INTEGER NOT NULL,
    again_at    INTEGER,
    attempts    INTEGER NOT NULL,
    state       INTEGER NOT NULL,
    token       INTEGER NOT NULL,
    last_error  TEXT,
    created_at  INTEGER NOT NULL,
    PRIMARY KEY (space, id)
) WITHOUT ROWID;
CREATE UNIQUE INDEX jobs_by_key ON jobs (space, kind, key);
CREATE INDEX jobs_due ON jobs (kind, run_at) WHERE state < 2;
CREATE INDEX jobs_by_tenant ON jobs (tenant, id);
CREATE INDEX jobs_leased ON jobs (space, lane) WHERE state = 1;
