-- SPDX-License-Identifier: Apache-2.0
-- Sessions, their message trees, what was attached to them, and full-text search. Times are milliseconds since 1970 UTC.

CREATE TABLE meta (
    key TEXT PRIMARY KEY,
    value TEXT NOT NULL
) WITHOUT ROWID;

-- Everything a list of sessions shows lies in this row, so that listing reads no message.
CREATE TABLE session (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    name TEXT NOT NULL,
    created_ms INTEGER NOT NULL,
    changed_ms INTEGER NOT NULL,
    deleted_ms INTEGER,                           -- in the bin until the data folder is closed
    head_id INTEGER,                              -- the message that the session was left at
    settings TEXT NOT NULL DEFAULT '{}',          -- JSON object: system prompt, sampling, thinking
    model TEXT NOT NULL DEFAULT '',               -- folder of the model that answered last
    fingerprint TEXT NOT NULL DEFAULT '',         -- of that model
    messages INTEGER NOT NULL DEFAULT 0,
    tokens INTEGER NOT NULL DEFAULT 0,            -- of the path to head_id
    text_bytes INTEGER NOT NULL DEFAULT 0         -- of all messages: text, reasoning, tool calls and token ids
);
CREATE INDEX session_by_change ON session (changed_ms DESC) WHERE deleted_ms IS NULL;
CREATE INDEX session_by_name ON session (name) WHERE deleted_ms IS NULL;

-- A message is written once; only a reply that is being streamed grows. An edit is a new sibling with the same parent.
-- Deferred, because a chain of cascades would be deeper than SQLite allows.
CREATE TABLE message (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    session_id INTEGER NOT NULL REFERENCES session (id) DEFERRABLE INITIALLY DEFERRED,
    parent_id INTEGER REFERENCES message (id) DEFERRABLE INITIALLY DEFERRED,
    role TEXT NOT NULL,                           -- system, user, assistant, tool
    state TEXT NOT NULL,                          -- complete, streaming, interrupted, stopped, length, failed
    created_ms INTEGER NOT NULL,
    text TEXT NOT NULL,
    reasoning TEXT NOT NULL DEFAULT '',
    details TEXT NOT NULL DEFAULT '{}',           -- JSON object: tool calls, names, numbers of the run
    tokens INTEGER NOT NULL DEFAULT 0,            -- its part of the prompt
    path_tokens INTEGER NOT NULL DEFAULT 0        -- of the prompt up to and with this message
);
-- Covers the shape of a tree, so that it is known even where a message cannot be read.
CREATE INDEX message_tree ON message (session_id, parent_id);

-- The ids that a message is in the prompt, so that a prompt put together again is the same one.
CREATE TABLE message_ids (
    message_id INTEGER PRIMARY KEY REFERENCES message (id) ON DELETE CASCADE,
    vocabulary TEXT NOT NULL,                     -- fingerprint of the tokenizer
    ids BLOB NOT NULL                             -- little-endian int32
);

-- The bytes lie in sources/ under their hash; decoders want files.
CREATE TABLE source (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    sha256 BLOB NOT NULL UNIQUE,
    bytes INTEGER NOT NULL,
    media_type TEXT NOT NULL,
    created_ms INTEGER NOT NULL
);
CREATE TABLE extraction (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    source_id INTEGER NOT NULL REFERENCES source (id) ON DELETE CASCADE,
    extractor TEXT NOT NULL,
    version TEXT NOT NULL,
    text TEXT NOT NULL,
    map TEXT NOT NULL,                            -- JSON array: where pages or frames begin
    warnings TEXT NOT NULL,                       -- JSON array of strings
    created_ms INTEGER NOT NULL,
    UNIQUE (source_id, extractor, version)
);
CREATE TABLE attachment (
    message_id INTEGER NOT NULL REFERENCES message (id) ON DELETE CASCADE,
    position INTEGER NOT NULL,                    -- order before the text of the message
    source_id INTEGER NOT NULL REFERENCES source (id),
    extraction_id INTEGER REFERENCES extraction (id),
    kind TEXT NOT NULL,                           -- document, image, video
    name TEXT NOT NULL,                           -- what the file was called
    PRIMARY KEY (message_id, position)
) WITHOUT ROWID;
CREATE INDEX attachment_by_source ON attachment (source_id);

-- Trigrams find parts of words and scripts without spaces. A streaming reply is indexed when it ends.
CREATE VIRTUAL TABLE message_search USING fts5 (text, content = 'message', content_rowid = 'id', tokenize = 'trigram');
CREATE TRIGGER message_search_insert AFTER INSERT ON message WHEN new.state <> 'streaming' BEGIN
    INSERT INTO message_search (rowid, text) VALUES (new.id, new.text);
END;
CREATE TRIGGER message_search_leave BEFORE UPDATE OF text, state ON message WHEN old.state <> 'streaming' BEGIN
    INSERT INTO message_search (message_search, rowid, text) VALUES ('delete', old.id, old.text);
END;
CREATE TRIGGER message_search_enter AFTER UPDATE OF text, state ON message WHEN new.state <> 'streaming' BEGIN
    INSERT INTO message_search (rowid, text) VALUES (new.id, new.text);
END;
CREATE TRIGGER message_search_delete AFTER DELETE ON message WHEN old.state <> 'streaming' BEGIN
    INSERT INTO message_search (message_search, rowid, text) VALUES ('delete', old.id, old.text);
END;
