-- A summary or a memory has a text, which is much for a row that is its own key: a tree of such rows has a handful on a page, at
-- every level, and moves them about whenever one comes in between. The rows lie in the order in which they came, and an index of
-- short entries finds them.

CREATE TABLE summaries_with_row_numbers (
    space       INTEGER NOT NULL,
    level       INTEGER NOT NULL,
    period      TEXT NOT NULL,
    body        TEXT NOT NULL,
    terms       BLOB NOT NULL
);
INSERT INTO summaries_with_row_numbers SELECT space, level, period, body, terms FROM summaries;
DROP TABLE summaries;
ALTER TABLE summaries_with_row_numbers RENAME TO summaries;
CREATE UNIQUE INDEX summaries_by_period ON summaries (space, level, period);

CREATE TABLE memories_with_row_numbers (
    space       INTEGER NOT NULL,
    id          TEXT NOT NULL,
    kind        TEXT NOT NULL,
    status      INTEGER NOT NULL,
    body        TEXT NOT NULL,
    terms       BLOB NOT NULL
);
INSERT INTO memories_with_row_numbers SELECT space, id, kind, status, body, terms FROM memories;
DROP TABLE memories;
ALTER TABLE memories_with_row_numbers RENAME TO memories;
CREATE UNIQUE INDEX memories_by_id ON memories (space, id);
