-- SPDX-License-Identifier: Apache-2.0
-- Rates of a processor and of a GPU are apart, and a session knows which of its states is stored.

ALTER TABLE session ADD COLUMN device TEXT NOT NULL DEFAULT '';        -- of the model that answered last: cpu, cuda
ALTER TABLE session ADD COLUMN stored_state TEXT NOT NULL DEFAULT '';  -- file name of the checkpoint that stored_tokens ends at

-- What was measured before names no device, and is measured again soon.
DROP TABLE rate;
CREATE TABLE rate (
    model TEXT NOT NULL,                          -- folder
    device TEXT NOT NULL,
    kind TEXT NOT NULL,                           -- prefill (tokens), restore (bytes)
    units REAL NOT NULL,
    seconds REAL NOT NULL,
    PRIMARY KEY (model, device, kind)
) WITHOUT ROWID;
