-- What reading the tokens of replies did, apart from chats.db: losing this file costs nothing but the records.
-- A reply of the model; `message` and `session` are those of chats.db.
CREATE TABLE reply (
    message INTEGER PRIMARY KEY,
    session INTEGER NOT NULL,
    used INTEGER NOT NULL,      -- microseconds since 1970, of the last record; unique
    region_ends BLOB NOT NULL,  -- i64 each: the regions that attention is summed over
    bytes INTEGER NOT NULL      -- of its blocks and series
);
CREATE INDEX reply_session ON reply (session);
CREATE UNIQUE INDEX reply_used ON reply (used);

-- Consecutive records of a reply, each as u32 length and record.
CREATE TABLE block (
    message INTEGER NOT NULL REFERENCES reply ON DELETE CASCADE,
    first INTEGER NOT NULL,  -- position of its first token
    tokens INTEGER NOT NULL,
    bytes BLOB NOT NULL,
    PRIMARY KEY (message, first)
) WITHOUT ROWID;

-- Numbers per token in bins: see storage/probes/probe_series.h.
CREATE TABLE series (
    message INTEGER NOT NULL REFERENCES reply ON DELETE CASCADE,
    number INTEGER NOT NULL,  -- which number
    layer INTEGER NOT NULL,
    level INTEGER NOT NULL,
    first INTEGER NOT NULL,   -- its first bin
    bytes BLOB NOT NULL,
    PRIMARY KEY (message, number, layer, level, first)
) WITHOUT ROWID;
