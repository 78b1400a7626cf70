-- SPDX-License-Identifier: Apache-2.0
-- What opening a session takes, said beforehand from what was measured.

-- How much of the session's prompt has a stored state, and the bytes that reading it takes.
ALTER TABLE session ADD COLUMN stored_tokens INTEGER NOT NULL DEFAULT 0;
ALTER TABLE session ADD COLUMN stored_bytes INTEGER NOT NULL DEFAULT 0;

-- Sums of work and time in which older work counts less and less: their quotient is the rate.
CREATE TABLE rate (
    model TEXT NOT NULL,                          -- folder
    kind TEXT NOT NULL,                           -- prefill (tokens), restore (bytes)
    units REAL NOT NULL,
    seconds REAL NOT NULL,
    PRIMARY KEY (model, kind)
) WITHOUT ROWID;

-- References are looked up from the other side when rows are deleted.
CREATE INDEX message_by_parent ON message (parent_id);
CREATE INDEX attachment_by_extraction ON attachment (extraction_id);
