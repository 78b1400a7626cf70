-- SPDX-License-Identifier: Apache-2.0
-- What reading the tokens of replies did, apart from chats.db: losing this file costs nothing but the records.
-- A reply of a model; `message` and `session` are those of chats.db.
CREATE TABLE reply (
    message INTEGER PRIMARY KEY,
    session INTEGER NOT NULL,
    model TEXT NOT NULL,        -- fingerprint of config and weights: only that model's layers and heads are these
    used INTEGER NOT NULL,      -- microseconds since 1970, of the last record; unique
    region_ends BLOB NOT NULL,  -- i64 each: the regions that attention is summed over
    bytes INTEGER NOT NULL      -- of its records and series
);
CREATE INDEX reply_session ON reply (session);
CREATE UNIQUE INDEX reply_used ON reply (used);

-- One token each, so that a view of a long span reads the few that it draws.
CREATE TABLE record (
    id INTEGER PRIMARY KEY,
    message INTEGER NOT NULL REFERENCES reply ON DELETE CASCADE,
    position INTEGER NOT NULL,
    bytes BLOB NOT NULL  -- see storage/probes/probe_codec.h
);
CREATE UNIQUE INDEX record_position ON record (message, position);

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
