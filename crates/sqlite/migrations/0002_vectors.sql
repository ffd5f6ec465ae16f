-- Vectors of messages, in generations that are never compared with each other. A space has two at most, the one that serves
-- and the one that is being made, of which one number is odd and the other even. Each has a table of its own, so that the key
-- is one integer, as it is of messages, and the vectors of a space lie side by side. A vector that is null is to be made again.

ALTER TABLE spaces ADD COLUMN vectors INTEGER NOT NULL DEFAULT 0;

CREATE TABLE generations (
    space       INTEGER NOT NULL,
    no          INTEGER NOT NULL,
    id          TEXT NOT NULL,
    dimension   INTEGER NOT NULL,
    cursor      INTEGER NOT NULL,
    serves      INTEGER NOT NULL,
    PRIMARY KEY (space, no)
) WITHOUT ROWID;
CREATE UNIQUE INDEX generations_apart ON generations (space, no & 1);

CREATE TABLE vectors_odd (
    key         INTEGER PRIMARY KEY,
    version     INTEGER NOT NULL,
    vector      BLOB
);
CREATE INDEX vectors_odd_by_version ON vectors_odd (key >> 24, version);
CREATE INDEX vectors_odd_wanted ON vectors_odd (key >> 24) WHERE vector IS NULL;

CREATE TABLE vectors_even (
    key         INTEGER PRIMARY KEY,
    version     INTEGER NOT NULL,
    vector      BLOB
);
CREATE INDEX vectors_even_by_version ON vectors_even (key >> 24, version);
CREATE INDEX vectors_even_wanted ON vectors_even (key >> 24) WHERE vector IS NULL;
